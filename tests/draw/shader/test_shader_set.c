/* Folders of shaders, and how shaders are put together out of files; without GL. */

#include "draw/shader/shader_text.h"
#include "run_binary.h"

#define VERSION "#version 330 core\n"

TEST(includes_are_lines_of_their_own)
{
    static const struct {
        const char *line;
        enum shader_line_kind kind;
        const char *name;
    } rows[] = {
        {"#include \"a.glsl\"\n", SHADER_LINE_INCLUDE, "a.glsl"},
        {"#include \"a.glsl\"", SHADER_LINE_INCLUDE, "a.glsl"},
        {" \t# include\t\"b c/d.glsl\"\r\n", SHADER_LINE_INCLUDE, "b c/d.glsl"},
        {"#include\"a\" // why", SHADER_LINE_INCLUDE, "a"},
        {"#include \"a\" /* why */", SHADER_LINE_INCLUDE, "a"},
        {"#include <a>", SHADER_LINE_BAD_INCLUDE, ""},
        {"#include", SHADER_LINE_BAD_INCLUDE, ""},
        {"#include \"\"", SHADER_LINE_BAD_INCLUDE, ""},
        {"#include \"a\n\"", SHADER_LINE_BAD_INCLUDE, ""},
        {"#include \"a\" b", SHADER_LINE_BAD_INCLUDE, ""},
        {"#includes \"a\"", SHADER_LINE_PLAIN, ""},
        {"// #include \"a\"", SHADER_LINE_PLAIN, ""},
        {"/* #include \"a\" */", SHADER_LINE_PLAIN, ""},
        {"int include;", SHADER_LINE_PLAIN, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shader_reader reader = {.next = rows[i].line, .number = 1};
        struct shader_line line;
        assert_true(shader_next_line(&reader, &line));
        if (line.kind != rows[i].kind || strcmp(line.name, rows[i].name) != 0)
            fail_msg("`%s`: kind %d, name `%s`", rows[i].line, (int)line.kind, line.name);
    }
}

/* The number of the line that has an include. */
static int line_of_include(const char *text)
{
    struct shader_reader reader = {.next = text, .number = 1};
    struct shader_line line;
    while (shader_next_line(&reader, &line))
        if (line.kind != SHADER_LINE_PLAIN)
            return line.number;
    return 0;
}

TEST(comments_hide_includes)
{
    assert_int_equal(line_of_include("/*\n#include \"a\"\n*/\n#include \"a\"\n"), 4);
    assert_int_equal(line_of_include("// /*\n#include \"a\"\n"), 2);
    assert_int_equal(line_of_include("/* // */\n#include \"a\"\n"), 2);
    assert_int_equal(line_of_include("/*/\n#include \"a\"\n"), 0);
    assert_int_equal(line_of_include("/**/ int a; /*\n\n#include \"a\"\n*/"), 0);
    assert_int_equal(line_of_include(""), 0);
}

TEST(words_are_whole_and_outside_of_comments)
{
    assert_true(shader_has_word("uniform vec4 bones;", "bones"));
    assert_true(shader_has_word("bones", "bones"));
    assert_true(shader_has_word("x/bones", "bones"));
    assert_false(shader_has_word("more_bones bones2 abones", "bones"));
    assert_false(shader_has_word("// bones\n/* bones\n bones */ b", "bones"));
    assert_true(shader_has_word("// x\nbones", "bones"));
    assert_false(shader_has_word("/* bones", "bones"));
}

static struct shader_text text;

static int release_text(void **state)
{
    text_release(&text.text);
    return scratch_leave(state);
}

#define TEXT_TEST(name) TEST_WITH(name, scratch_enter, release_text)

/* "skin.vert a.glsl": in the order of their numbers. */
static const char *numbered(void)
{
    static char names[1024];
    names[0] = '\0';
    for (int i = 0; i < text.file_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "", text.files[i].name);
    return names;
}

TEXT_TEST(ours_say_what_they_build_on)
{
    shader_text_assemble(NULL, "skin.vert", "#define A 1\n", &text);
    assert_string_equal(numbered(), "skin.vert frame.glsl palette.glsl influences.glsl morph.glsl vectors.glsl skinning.glsl values.glsl");
    assert_int_equal(strncmp(text_string(&text.text), VERSION "#define A 1\n#line 2\n", strlen(VERSION) + 20), 0);
    assert_false(text.has_users);
}

POINTER_RELEASED_BY(shader_set, shader_set_release)
#define SET RELEASED_BY(drop_shader_set_at) struct shader_set

static struct shader_set *load(const char *folder)
{
    return assert_good(shader_set_load(folder, err));
}

static void load_fails(const char *folder, const char *message)
{
    struct error err = {0};
    struct shader_set *set = shader_set_load(folder, &err);
    assert_null(set);
    assert_int_equal(err.exit_code, EXIT_CODE_USAGE);
    if (!strstr(err.text, message))
        fail_msg("says: %s\nnot:  %s", err.text, message);
}

/* What is included stands where it is first mentioned, once, and lines count on behind it. */
TEXT_TEST(files_stand_where_they_are_mentioned)
{
    spill("d/lit.frag", VERSION "one\n#include \"a.glsl\"\ntwo\n#include \"lib/b.glsl\"\n#include \"a.glsl\"\nthree");
    spill("d/a.glsl", "a\n#include \"lib/b.glsl\"\naa");
    spill("d/lib/b.glsl", "b\n#include \"a.glsl\"\n#include \"lit.frag\"\nbb\n"); /* rounds end */
    SET *set = load("d");
    shader_text_assemble(set, "lit.frag", "#define A\n", &text);
    assert_string_equal(text_string(&text.text),
                        VERSION "#define A\n#line 2\none\n#line 1000001\na\n#line 2000001\nb\n\n\nbb\n#line 1000003\naa\n"
                                "#line 4\ntwo\n\n\nthree\n");
    assert_string_equal(numbered(), "lit.frag a.glsl lib/b.glsl");
    assert_true(text.has_users);
}

TEXT_TEST(the_users_files_go_before_ours)
{
    spill("d/surface.glsl", "// theirs\n");
    SET *set = load("d/");
    struct shader_file file;
    assert_true(shader_set_find(set, "surface.glsl", &file));
    assert_string_equal(file.text, "// theirs\n");
    assert_string_equal(file.shown, "d/surface.glsl");
    assert_true(shader_set_find(set, "lit.frag", &file));
    assert_false(file.is_users);
    assert_false(shader_set_find(set, "none.frag", &file));
    shader_text_assemble(set, "lit.frag", "", &text); /* ours, and what it includes is theirs */
    assert_non_null(strstr(text_string(&text.text), "// theirs\n"));
    assert_true(text.has_users);
    text_release(&text.text);
    shader_text_assemble(set, "skin.vert", "", &text);
    assert_false(text.has_users);
}

TEXT_TEST(messages_get_names_for_numbers)
{
    struct text out = {0};
    shader_text_assemble(NULL, "lit.frag", "", &text);
    assert_string_equal(numbered(), "lit.frag frame.glsl surface.glsl");
    shader_text_name_files(&text, "0:14(3): error\n0:2000007(1): error\n0:1000002: x\n0:9000001: y\nno number\n3d", &out);
    assert_string_equal(text_string(&out), "lit.frag:14(3): error\nsurface.glsl:7(1): error\nframe.glsl:2: x\n"
                                           "0:9000001: y\nno number\n3d");
    text_release(&out);
    shader_text_number_lines(&text, "surface.glsl:3(1): error", &out); /* the files that are spoken of */
    assert_non_null(strstr(text_string(&out), "surface.glsl:1     // What the views share"));
    assert_null(strstr(text_string(&out), "lit.frag:1"));
    text_release(&out);
    shader_text_number_lines(&text, "something", &out); /* all */
    assert_non_null(strstr(text_string(&out), "lit.frag:1     #version 330 core\n"));
    text_release(&out);
}

TEXT_TEST(other_systems_text_is_taken)
{
    spill("d/lit.frag", "\xef\xbb\xbf#version 330 core\r\n#include \"surface.glsl\"\r\n// \xc3\xa4\r\n");
    SET *set = load("d");
    shader_text_assemble(set, "lit.frag", "", &text);
    assert_string_equal(numbered(), "lit.frag surface.glsl");
    assert_int_equal(strncmp(text_string(&text.text), "#version 330 core\r\n#line 2\n", 27), 0);
}

TEXT_TEST(refusals_say_where_and_what)
{
    static const struct {
        const char *file, *content, *says;
    } rows[] = {
        {"skin.vert", VERSION "\n#include \"palete.glsl\"\n",
         "d/skin.vert:3: #include \"palete.glsl\": no such file in d, and rigproof has none of this name; did you mean `palette.glsl`?"},
        {"skin.vert", VERSION "#include \"zzzzzzzz\"\n", "and rigproof has none of this name"},
        {"skin.vert", VERSION "#include <a>\n", "d/skin.vert:2: expected #include \"FILE\""},
        {"skin.vert", VERSION "#include \"../a.glsl\"\n", "d/skin.vert:2: shaders: `../a.glsl` leads out of d"},
        {"skin.vert", VERSION "#include \"x/../a.glsl\"\n", "`x/../a.glsl` leads out of d"},
        {"skin.vert", VERSION "#include \"/etc/passwd\"\n", "`/etc/passwd` leads out of d"},
        {"skin.vert", "\n" VERSION, "d/skin.vert: the first line is not `#version 330 core` or a later one"},
        {"lit.frag", "void main() {}\n", "d/lit.frag: the first line is not"},
        {"lit.frag", VERSION "// \xe4\n", "d/lit.frag is not UTF-8 text"},
        {"lit.txt", VERSION, "no file in d has the name of one of rigproof's, which are bone_colors.frag, bones.frag, "},
        {"litt.frag", VERSION, "no file in d has the name of one of rigproof's"},
    };
    spill("a.glsl", "");
    spill("d/x/b.glsl", "");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = at("d/%s", rows[i].file);
        spill(path, rows[i].content);
        load_fails("d", rows[i].says);
        unlink(path);
    }
    load_fails("nowhere", "cannot open the folder nowhere");
    load_fails("a.glsl", "a.glsl");
}

TEXT_TEST(folders_are_limited)
{
    spill("d/lit.frag", at("%*s", SHADER_FILE_BYTES + 1, ""));
    load_fails("d", "d/lit.frag");
    spill_bytes("d/lit.frag", VERSION, sizeof VERSION); /* with its NUL */
    load_fails("d", "d/lit.frag is not UTF-8 text");
    spill("d/lit.frag", VERSION);
    for (int i = 1; i < SHADER_SET_FILES; i++)
        spill(at("d/%d.glsl", i), "");
    shader_set_release(load("d"));
    spill("d/more.glsl", "");
    load_fails("d", "d has more than 64 files");
}

TEXT_TEST(links_out_of_the_folder_are_refused)
{
    spill("outside.vert", VERSION);
    mkdir("d", 0777);
    assert_int_equal(symlink("../outside.vert", "d/skin.vert"), 0);
    load_fails("d", "`skin.vert` leads out of d");
    unlink("d/skin.vert");
    spill("d/inside.txt", VERSION "// by a link\n");
    assert_int_equal(symlink("inside.txt", "d/skin.vert"), 0);
    shader_set_release(load("d"));
}

/* A long chain neither hangs nor is refused. */
TEXT_TEST(chains_of_includes_end)
{
    for (int i = 0; i < SHADER_SET_FILES - 1; i++)
        spill(at("d/%02d.txt", i), at("#include \"%02d.txt\"\nline %02d\n", (i + 1) % (SHADER_SET_FILES - 1), i));
    spill("d/lit.frag", VERSION "#include \"00.txt\"\n");
    SET *set = load("d");
    shader_text_assemble(set, "lit.frag", "", &text);
    assert_int_equal(text.file_count, SHADER_SET_FILES);
    assert_non_null(strstr(text_string(&text.text), "line 62\n"));
    assert_null(strstr(strstr(text_string(&text.text), "line 05\n") + 1, "line 05\n"));
}
