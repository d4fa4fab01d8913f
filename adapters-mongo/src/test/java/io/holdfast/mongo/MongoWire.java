package io.holdfast.mongo;

import com.mongodb.ServerAddress;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Stands before a server, and speaks its protocol: shows every command and every answer to a listener, and passes on what that
 * makes of it. Thread-safe.
 */
final class MongoWire implements AutoCloseable {
    /** Called by many threads at once. */
    interface Listener {
        /** Returns what the server gets in its place, if it is not to get the command as it is. */
        Optional<BsonDocument> sent(BsonDocument command);

        /**
         * Returns what is answered in its place, if it is not to be answered as it is.
         *
         * @param command the very one that the server has got
         */
        Optional<BsonDocument> answered(BsonDocument command, BsonDocument answer);
    }

    private static final int MESSAGE = 2013;
    private static final int HEADER = 16;
    private static final int BODY = HEADER + 5;

    private final String host;
    private final int port;
    private final Listener listener;
    private final ServerSocket door;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

    /** To whatever the server's clients connect to just now. */
    MongoWire(MongoServer server, Listener listener) {
        this.host = server.host();
        this.port = server.port();
        this.listener = listener;
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

    ServerAddress address() {
        return new ServerAddress("localhost", door.getLocalPort());
    }

    private void link(Socket client) throws IOException {
        Socket upstream = new Socket(host, port);
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        Map<Integer, BsonDocument> waiting = new ConcurrentHashMap<>();
        start(() -> pump(client, upstream, message -> {
            BsonDocument command = read(message);
            Optional<BsonDocument> other = listener.sent(command);
            waiting.put(little(message).getInt(4), other.orElse(command));
            return other.map(body -> written(message, body)).orElse(message);
        }));
        start(() -> pump(upstream, client, message -> {
            BsonDocument command = waiting.remove(little(message).getInt(8));
            if (command == null) {
                return message; // one of several answers to one command: the monitor's
            }
            return listener.answered(command, read(message))
                    .map(body -> written(message, body))
                    .orElse(message);
        }));
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
                out.write(little(message).getInt(12) == MESSAGE ? change.apply(message) : message);
            }
        }
    }

    /** The body, with the documents that were sent beside it (those of an insert, an update or a delete) in their field. */
    private static BsonDocument read(byte[] message) {
        ByteBuffer in = little(message).position(BODY - 1);
        BsonDocument body = new BsonDocument();
        while (in.hasRemaining()) {
            if (in.get() == 0) {
                body.putAll(document(in));
                continue;
            }
            int end = in.position() + in.getInt();
            BsonArray documents = new BsonArray();
            String field = text(in);
            while (in.position() < end) {
                documents.add(document(in));
            }
            body.append(field, documents);
        }
        return body;
    }

    private static BsonDocument document(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt(in.position())];
        in.get(bytes);
        return new RawBsonDocument(bytes).decode(new BsonDocumentCodec());
    }

    /** The name of a field: ASCII. */
    private static String text(ByteBuffer in) {
        StringBuilder text = new StringBuilder();
        for (byte next = in.get(); next != 0; next = in.get()) {
            text.append((char) next);
        }
        return text.toString();
    }

    /** The same message with another body. */
    private static byte[] written(byte[] message, BsonDocument body) {
        ByteBuf bytes = new RawBsonDocument(body, new BsonDocumentCodec()).getByteBuffer();
        byte[] written = new byte[BODY + bytes.remaining()];
        little(written)
                .put(message, 0, HEADER)
                .putInt(0)
                .put((byte) 0)
                .put(bytes.asNIO())
                .putInt(0, written.length);
        return written;
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
                "wire");
        thread.setDaemon(true);
        thread.start();
    }
}
