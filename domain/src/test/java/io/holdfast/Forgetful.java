package io.holdfast;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class of this project with a mistake: its methods of one name forget their locks, or to notify. */
final class Forgetful extends ClassVisitor {
    private final String method;
    private final String what;
    private int forgotten;

    private Forgetful(ClassVisitor written, String method, String what) {
        super(Opcodes.ASM9, written);
        this.method = method;
        this.what = what;
    }

    /**
     * Writes it to where a class path may begin.
     *
     * @param type such as "Heart"
     * @param what "locks" or "notifyAll"
     */
    static void write(Path classes, String type, String method, String what) throws IOException {
        String file = "io/holdfast/" + type + ".class";
        ClassWriter writer = new ClassWriter(0);
        Forgetful forgetful = new Forgetful(writer, method, what);
        try (InputStream in = Forgetful.class.getResourceAsStream("/" + file)) {
            new ClassReader(in).accept(forgetful, 0);
        }
        if (forgetful.forgotten == 0) {
            throw new IllegalArgumentException(type + "." + method + " has nothing of the kind to forget: " + what);
        }
        Path written = classes.resolve(file);
        Files.createDirectories(written.getParent());
        Files.write(written, writer.toByteArray());
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        if (!name.equals(method)) {
            return super.visitMethod(access, name, descriptor, signature, exceptions);
        }
        int forgets = what.equals("locks") ? access & Opcodes.ACC_SYNCHRONIZED : 0;
        forgotten += forgets;
        return new ForgetfulMethod(super.visitMethod(access - forgets, name, descriptor, signature, exceptions));
    }

    private final class ForgetfulMethod extends MethodVisitor {
        ForgetfulMethod(MethodVisitor written) {
            super(Opcodes.ASM9, written);
        }

        @Override
        public void visitInsn(int opcode) {
            boolean lock = opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
            super.visitInsn(lock && forgets("locks") ? Opcodes.POP : opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean inInterface) {
            if (name.equals("notifyAll") && forgets(name)) {
                super.visitInsn(Opcodes.POP);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, inInterface);
            }
        }

        private boolean forgets(String one) {
            forgotten += one.equals(what) ? 1 : 0;
            return one.equals(what);
        }
    }
}
