package io.holdfast.mongo;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Stands before a server, and speaks its protocol: it lets a change be made, and says in the place of the answer that the
 * primary is stepping down. That is a fault of the real server which no other server can be brought to. Thread-safe.
 */
final class StepDown implements AutoCloseable {
    private static final int MESSAGE = 2013;
    private static final int HEADER = 16;
    private static final int BODY = HEADER + 5;
    private static final byte[] STEPPING_DOWN = bytes(BsonDocument.parse("""
            { ok: 0.0, code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' }
            """));

    private final MongoServer server;
    private final ServerSocket door;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger changesUntil = new AtomicInteger();

    StepDown(MongoServer server) {
        this.server = server;
        try {
            this.door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(() -> {
            while (true) {
                link(door.accept());
            }
        });
    }

    private static byte[] bytes(BsonDocument document) {
        ByteBuf buffer = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    int port() {
        return door.getLocalPort();
    }

    /** Steps down when the {@code nth} findAndModify from now, 1 being the next one, has been applied. */
    void after(int nth) {
        changesUntil.set(nth);
    }

    boolean isDone() {
        return changesUntil.get() <= 0;
    }

    private void link(Socket client) throws IOException {
        Socket upstream = new Socket(server.host(), server.port());
        open.add(client);
        open.add(upstream);
        Set<Integer> spoilt = ConcurrentHashMap.newKeySet();
        start(() -> pump(client, upstream, message -> {
            if (isChange(message) && changesUntil.getAndDecrement() == 1) {
                spoilt.add(little(message).getInt(4));
            }
            return message;
        }));
        start(() -> pump(
                upstream,
                client,
                message -> spoilt.remove(little(message).getInt(8)) ? steppingDown(little(message)) : message));
    }

    private static boolean isChange(byte[] message) {
        return little(message).getInt(12) == MESSAGE
                && new RawBsonDocument(message, BODY, little(message).getInt(BODY))
                        .getFirstKey()
                        .equals("findAndModify");
    }

    private static byte[] steppingDown(ByteBuffer answer) {
        byte[] message = new byte[BODY + STEPPING_DOWN.length];
        little(message)
                .putInt(message.length)
                .putInt(answer.getInt(4))
                .putInt(answer.getInt(8))
                .putInt(MESSAGE)
                .putInt(0)
                .put((byte) 0)
                .put(STEPPING_DOWN);
        return message;
    }

    private static void pump(Socket from, Socket to, UnaryOperator<byte[]> change) throws IOException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (true) {
                int size = Integer.reverseBytes(in.readInt());
                byte[] message = new byte[size];
                little(message).putInt(size);
                in.readFully(message, Integer.BYTES, size - Integer.BYTES);
                out.write(change.apply(message));
            }
        }
    }

    private static ByteBuffer little(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        open.add(door);
        for (Closeable each : open) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
                        // the socket was closed, by either end or by us: this loop is over
                    }
                },
                "step-down");
        thread.setDaemon(true);
        thread.start();
    }
}
