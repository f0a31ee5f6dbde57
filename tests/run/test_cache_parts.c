/* A verdict depends on the machine by these parts, and a key signs it. */

#include "run_binary.h"

#include "import/import.h"
#include "run/cache.h"

SCRATCH_TEST(machine_is_told_whole)
{
    static const char *const parts[] = {"renderer ", "\nmesa ", "\nllvm ", "\nvector_bits ", "\nfma ", "\nshaders ", "\nobject rigproof ",
                                        "\nobject libc.so", "\nobject libm.so", "\nenvironment LIBGL_ALWAYS_SOFTWARE=1\n",
                                        "\nenvironment MESA_ODD=2\n"};
    SCOPED(text) text = {0}, assimp = {0};
    struct error err = {0};
    setenv("MESA_ODD", "2", 1);
    setenv("MESA_SHADER_CACHE_MAX_SIZE", "9M", 1);
    setenv("RIGPROOF_ACCEPT", "type this", 1);
    if (!identity_find(BACKEND_AUTO, &text, &err)) {
        assert_int_equal(err.exit_code, EXIT_CODE_NO_GL);
        print_message("skipped: %s\n", err.text);
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(text_string(&text), parts[i]);
    assert_true(strstr(text_string(&text), "flags") || strstr(text_string(&text), "Features"));
    if (import_library_file()->build_id && import_library_file()->soname) {
        text_addf(&assimp, "\nobject %s", import_library_file()->soname);
        assert_contains(text_string(&text), text_string(&assimp));
        assert_contains(text_string(&text), import_library_file()->build_id);
    }
    assert_null(strstr(text_string(&text), "SHADER_CACHE"));
    assert_null(strstr(text_string(&text), "type this"));
}

/* A key is made once, is nobody else's, and BLAKE2b with it is what Python computes. */
SCRATCH_TEST(keys_are_ours_alone)
{
    struct secret secret, again;
    struct error err = {0};
    struct stat st;
    char hash[SECRET_HASH + 1], *here = keep(realpath(".", NULL));
    setenv("RIGPROOF_CACHE_KEY", "too short", 1);
    assert_false(secret_find(&secret, ".", &err));
    assert_contains(err.text, "less than 16");
    unsetenv("RIGPROOF_CACHE_KEY");
    setenv("XDG_STATE_HOME", here, 1);
    err = (struct error){0};
    assert_true(secret_find(&secret, "/", &err) && secret_find(&again, "/", &err));
    assert_memory_equal(&secret, &again, sizeof secret);
    assert_int_equal(stat("rigproof/cache-key", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_string_equal(scratch_listing(), "rigproof");
    for (int i = 0; i < SECRET_BYTES; i++)
        secret.bytes[i] = (unsigned char)i;
    secret_hash(&secret, "abc", 3, hash); /* python3: hashlib.blake2b(b"abc", digest_size=32, key=bytes(range(32))) */
    assert_string_equal(hash, "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f");
    static const char *const breaks[] = {"chmod 640 rigproof/cache-key", "chmod 600 rigproof/cache-key; truncate -s 31 rigproof/cache-key",
                                         "mv rigproof/cache-key key; truncate -s 32 key; ln -s ../key rigproof/cache-key",
                                         "rm rigproof/cache-key; mkdir rigproof/cache-key"};
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        err = (struct error){0};
        assert_int_equal(system(breaks[i]), 0);
        assert_false(secret_find(&secret, "/", &err));
        assert_contains(err.text, "rigproof/cache-key");
    }
    unsetenv("XDG_STATE_HOME");
}
