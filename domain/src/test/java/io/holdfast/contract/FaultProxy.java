package io.holdfast.contract;

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
        /** Connections break, and new ones are refused. */
        REFUSE
    }

    private final InetSocketAddress server;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    // All below: guarded by this.
    private ServerSocket door;
    private Mode mode = Mode.PASS;
    private int roundTrips;
    private int requestsUntilDrop;
    private boolean dropped;
    private int requestsUntilDone;
    private Runnable toBeDone = () -> {};

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
        if (mode != Mode.PASS || next == Mode.REFUSE) {
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

    /**
     * Lets the {@code nth} request from now, 1 being the next one, reach the server, and loses the answer: as soon as it
     * comes, its connection is cut. What comes after that passes.
     */
    public synchronized void dropReply(int nth) {
        requestsUntilDrop = nth;
        dropped = false;
    }

    /** Does something when the {@code nth} request from now has come, 1 being the next one, and before the server gets it. */
    public synchronized void before(int nth, Runnable something) {
        requestsUntilDone = nth;
        toBeDone = something;
    }

    /** Whether the answer that was to be lost has been lost. */
    public synchronized boolean dropped() {
        return dropped;
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

    private synchronized boolean isDropping() {
        roundTrips++;
        return requestsUntilDrop > 0 && --requestsUntilDrop == 0;
    }

    private synchronized Runnable due() {
        return requestsUntilDone > 0 && --requestsUntilDone == 0 ? toBeDone : () -> {};
    }

    private synchronized void hasDropped() {
        dropped = true;
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
                if (mode() == Mode.REFUSE) {
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
        private boolean clientSpeaks;
        private boolean dropping;

        Link(Socket client) throws IOException {
            this.client = client;
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            upstream.connect(server);
            start(() -> pump(client, upstream, this::requested));
            start(() -> pump(upstream, client, this::answered));
        }

        private void pump(Socket from, Socket to, Runnable before) throws IOException {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[1 << 16];
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    if (mode() == Mode.PASS) {
                        before.run();
                        out.write(bytes, 0, n);
                    }
                }
            } finally {
                cut();
            }
        }

        private synchronized void requested() {
            if (!clientSpeaks) {
                clientSpeaks = true;
                dropping = isDropping();
                due().run();
            }
        }

        private synchronized void answered() {
            clientSpeaks = false;
            if (dropping) {
                hasDropped(); // before the client can notice, and ask
                cut();
            }
        }

        void cut() {
            links.remove(this);
            close(client);
            close(upstream);
        }
    }
}
