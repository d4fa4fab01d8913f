package io.holdfast.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a store and its server, counts round trips, and does what networks do. It knows no protocol: a round trip
 * is a turn of direction, the client beginning to speak after it was spoken to. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    /** What becomes of the traffic. */
    public enum Mode {
        /** Everything gets through. */
        PASS,
        /** Nothing gets through any more, in neither direction, and no connection breaks. */
        BLACKHOLE,
        /** Connections break, new ones as soon as they are made. For as long as one likes: nobody else gets the port. */
        BREAK,
        /** Connections break, and new ones are refused. */
        REFUSE
    }

    /** What becomes of one request, and of its connection. */
    public enum Strike {
        /** It reaches the server. As soon as the answer comes, the connection is closed. */
        REPLY_LOST,
        /** It reaches the server. Half a packet of the answer gets through, then the connection is reset. */
        REPLY_CUT,
        /** It never reaches the server, and the connection is closed. */
        REQUEST_LOST,
        /** Half a packet of it reaches the server, then the connection is reset. */
        REQUEST_CUT,
        /** It is under way until {@link #deliver()}, even when its client has given up and closed the connection. */
        REQUEST_LATE
    }

    /** For a server's answer to what came late. */
    private static final long PATIENCE_SECONDS = 20;

    private final InetSocketAddress server;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    // All below: guarded by this.
    private ServerSocket door;
    private Mode mode = Mode.PASS;
    private int roundTrips;
    private int requestsUntilDone;
    private Runnable toBeDone = () -> {};
    private int requestsUntilStrike;
    private Strike next = Strike.REPLY_LOST;
    private boolean struck;
    private boolean last;
    private @Nullable Link late;

    /** Starts it on a free port of this machine. */
    public FaultProxy(String host, int port) {
        this.server = new InetSocketAddress(host, port);
        this.door = open(0);
        this.port = door.getLocalPort();
        listen(door);
    }

    public int port() {
        return port;
    }

    /** From now on. A connection that lost bytes in a black hole is cut when that is over. */
    public synchronized void set(Mode next) {
        if (next == mode) {
            return;
        }
        if (mode != Mode.PASS || next != Mode.BLACKHOLE) {
            links.forEach(Link::cut);
        }
        if (next == Mode.REFUSE) {
            close(door);
        } else if (mode == Mode.REFUSE) {
            door = open(port);
            listen(door);
        }
        mode = next;
    }

    /** {@link Strike#REPLY_LOST}. */
    public void dropReply(int nth) {
        strike(nth, Strike.REPLY_LOST);
    }

    /** Does this to the {@code nth} request from now, 1 being the next one. What comes after that passes. */
    public synchronized void strike(int nth, Strike strike) {
        requestsUntilStrike = nth;
        next = strike;
        struck = false;
        last = false;
    }

    /** Does something when the {@code nth} request from now has come, 1 being the next one, and before the server gets it. */
    public synchronized void before(int nth, Runnable something) {
        requestsUntilDone = nth;
        toBeDone = something;
    }

    /** As {@link #strike}, and the network is gone with it: {@link Mode#BREAK}, but for what is late. */
    public synchronized void strikeLast(int nth, Strike strike) {
        strike(nth, strike);
        last = true;
    }

    /** Whether the answer that was to be lost has been lost. */
    public boolean dropped() {
        return struck();
    }

    /** Whether what was to be done to a request has been done. */
    public synchronized boolean struck() {
        return struck;
    }

    /** Has the late request arrive after all, and returns when the server has answered it, to nobody, or has hung up. */
    public void deliver() {
        Link link;
        synchronized (this) {
            link = late;
            late = null;
        }
        if (link == null) {
            throw new IllegalStateException("no request is late");
        }
        link.deliver();
    }

    /** Since the start. */
    public synchronized int roundTrips() {
        return roundTrips;
    }

    @Override
    public void close() {
        set(Mode.REFUSE);
    }

    private synchronized Mode mode() {
        return mode;
    }

    /** Counts a request, and says what becomes of it. */
    private synchronized @Nullable Strike requested() {
        roundTrips++;
        return requestsUntilStrike > 0 && --requestsUntilStrike == 0 ? next : null;
    }

    private synchronized Runnable due() {
        return requestsUntilDone > 0 && --requestsUntilDone == 0 ? toBeDone : () -> {};
    }

    private synchronized void hasStruck() {
        struck = true;
        if (last) {
            last = false;
            set(Mode.BREAK);
        }
    }

    private synchronized void isLate(Link link) {
        late = link;
        links.remove(link);
        hasStruck();
    }

    private static ServerSocket open(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(ServerSocket at) {
        start(() -> {
            while (true) {
                Link link = new Link(at.accept());
                links.add(link);
                // It may have come through the door in the moment that it was closed.
                if (mode() == Mode.REFUSE || mode() == Mode.BREAK) {
                    link.cut();
                }
            }
        });
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Loop {
        void run() throws IOException;
    }

    private static void start(Loop loop) {
        Thread thread = new Thread(
                () -> {
                    try {
                        loop.run();
                    } catch (IOException e) {
                        // The socket was closed, by either end or by us: this loop is over.
                    }
                },
                "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection of a client, and ours to the server for it. */
    private final class Link {
        private final Socket client;
        private final Socket upstream = new Socket();
        private final ByteArrayOutputStream underWay = new ByteArrayOutputStream();
        private CountDownLatch answer = new CountDownLatch(0); // to what is late
        private boolean clientSpeaks;
        private @Nullable Strike strike;

        Link(Socket client) throws IOException {
            this.client = client;
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            upstream.connect(server);
            start(() -> pump(client, upstream, this::request));
            start(() -> pump(upstream, client, this::answer));
        }

        private void pump(Socket from, Socket to, Passage passage) throws IOException {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[1 << 16];
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    if (mode() == Mode.PASS || isHeld()) {
                        passage.pass(bytes, n, out);
                    }
                }
            } finally {
                over(from);
            }
        }

        private void request(byte[] bytes, int n, OutputStream out) throws IOException {
            @Nullable Strike now = asked();
            if (now == Strike.REQUEST_LATE) {
                hold(bytes, n);
            } else if (now == Strike.REQUEST_LOST) {
                hasStruck(); // before the client can notice, and ask
                cut();
            } else if (now == Strike.REQUEST_CUT) {
                out.write(bytes, 0, n / 2);
                hasStruck();
                reset();
            } else {
                out.write(bytes, 0, n);
            }
        }

        private void answer(byte[] bytes, int n, OutputStream out) throws IOException {
            @Nullable Strike now = told();
            if (now == Strike.REPLY_LOST) {
                hasStruck();
                cut();
            } else if (now == Strike.REPLY_CUT) {
                out.write(bytes, 0, n / 2);
                hasStruck();
                reset();
            } else {
                out.write(bytes, 0, n);
            }
        }

        private synchronized @Nullable Strike asked() {
            if (!clientSpeaks) {
                clientSpeaks = true;
                strike = requested();
                due().run();
                if (strike == Strike.REQUEST_LATE) {
                    answer = new CountDownLatch(1);
                }
            }
            return strike;
        }

        private synchronized @Nullable Strike told() {
            clientSpeaks = false;
            answer.countDown();
            return strike;
        }

        /** All of it is, in however many pieces the client sends it. */
        private synchronized boolean isHeld() {
            return strike == Strike.REQUEST_LATE;
        }

        private synchronized void hold(byte[] bytes, int n) {
            underWay.write(bytes, 0, n);
            isLate(this);
        }

        /** One end has hung up. What is under way to the server arrives nevertheless. */
        private synchronized void over(Socket end) {
            if (strike == Strike.REQUEST_LATE && end == client && answer.getCount() > 0) {
                FaultProxy.close(client);
            } else {
                answer.countDown();
                cut();
            }
        }

        void deliver() {
            try {
                upstream.getOutputStream().write(arrived());
                if (!answered().await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("the late request is not answered");
                }
            } catch (IOException e) {
                // The server has hung up: nobody hears it.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while the late request is answered", e);
            } finally {
                cut();
            }
        }

        private synchronized CountDownLatch answered() {
            return answer;
        }

        private synchronized byte[] arrived() {
            return underWay.toByteArray();
        }

        /** Without the good manners of TCP: what is under way is thrown away at both ends. */
        private void reset() throws IOException {
            client.setSoLinger(true, 0);
            upstream.setSoLinger(true, 0);
            cut();
        }

        void cut() {
            links.remove(this);
            FaultProxy.close(client);
            FaultProxy.close(upstream);
        }
    }

    private interface Passage {
        void pass(byte[] bytes, int n, OutputStream out) throws IOException;
    }
}
