/* --show on terminals that are played here: what they are asked, what they are sent, and how they are left. */
#define _GNU_SOURCE /* posix_openpt, memmem */

#include "cli/pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 60, ROWS = 40, CELL_WIDTH = 10, CELL_HEIGHT = 20, MOST = 1 << 22 };

static const char attributes_request[] = "\x1b[c", kitty_request[] = "\x1b_Gi=31,";

struct session {
    const char *arguments[24], *environment[6];
    const char *answer; /* to the question for attributes; NULL: none */
    int signal;         /* instead of an answer */
    int status;
    char *out; /* what it was sent, [size] */
    size_t size;
    double seconds;
};

static _Noreturn void become_render(const struct session *s, const char *terminal)
{
    static const char *const variables[] = {"TMUX", "STY", "NO_COLOR", "COLORTERM", "COLUMNS"};
    const char *line[32] = {"rigproof", "render"};
    setsid();
    int fd = open(terminal, O_RDWR); /* becomes the session's */
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
    setenv("TERM", "xterm-256color", 1);
    for (int i = 0; s->environment[i]; i++)
        putenv((char *)s->environment[i]);
    for (int i = 0; s->arguments[i]; i++)
        line[2 + i] = s->arguments[i];
    alarm(60);
    execv(RIGPROOF_BINARY, (char **)line);
    _exit(127);
}

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static void assert_echo(int terminal, bool echoes)
{
    struct termios state;
    assert_int_equal(tcgetattr(terminal, &state), 0);
    assert_int_equal((state.c_lflag & (ECHO | ICANON)) == (ECHO | ICANON), echoes);
    assert_true(state.c_lflag & ISIG);
}

/* Runs it to its end. Whatever happens the terminal echoes again. */
static void play(struct session *s)
{
    char name[64];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize window = {.ws_row = ROWS, .ws_col = COLUMNS, .ws_xpixel = COLUMNS * CELL_WIDTH, .ws_ypixel = ROWS * CELL_HEIGHT};
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 || ptsname_r(terminal, name, sizeof name) != 0) {
        print_message("skipped: no pseudo terminals\n");
        skip();
    }
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &window), 0);
    int kept = open(name, O_RDWR | O_NOCTTY); /* so that its state stays to be looked at */
    const double start = now();
    bool was_asked = false, has_ended = false;
    s->out = keep(calloc(MOST + 1, 1));
    s->size = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_render(s, name);
    for (struct pollfd input = {.fd = terminal, .events = POLLIN};;) {
        if (poll(&input, 1, 20) > 0) {
            ssize_t n = read(terminal, s->out + s->size, MOST - s->size);
            s->size += n > 0 ? (size_t)n : 0;
        } else if (has_ended) {
            break;
        }
        has_ended = has_ended || waitpid(child, &s->status, WNOHANG) == child;
        if (was_asked || !memmem(s->out, s->size, attributes_request, strlen(attributes_request)))
            continue;
        was_asked = true;
        assert_echo(terminal, false);
        if (s->signal)
            kill(child, s->signal);
        else if (s->answer)
            assert_int_equal(write(terminal, s->answer, strlen(s->answer)), strlen(s->answer));
    }
    s->seconds = now() - start;
    assert_echo(kept, true);
    close(kept);
    close(terminal);
}

static bool has_sent(const struct session *s, const char *text)
{
    return memmem(s->out, s->size, text, strlen(text)) != NULL;
}

/* ---- what terminals make of it, by themselves ---------------------------------------------------------------------- */

static struct image blank(uint32_t width, uint32_t height)
{
    struct image image;
    struct error err = {0};
    assert_true(image_create(&image, width, height, &err));
    return image;
}

/* Sixels, by DEC's manual of the VT330: what is not set stays clear. */
static struct image decode_sixel(const struct session *s)
{
    const char *at = memmem(s->out, s->size, "\x1bP", 2), *end = s->out + s->size;
    unsigned width, height, numbers[5], x = 0, y = 0, color = 0, repeat;
    uint8_t registers[256][3] = {{0}};
    assert_non_null(at);
    at = strchr(at, 'q') + 1;
    assert_int_equal(sscanf(at, "\"1;1;%u;%u", &width, &height), 2);
    at += 1 + strspn(at + 1, "0123456789;");
    struct image image = blank(width, height);
    while (at < end && *at != '\x1b') {
        const char c = *at++;
        repeat = 1;
        if (c == '#') {
            int count = 0;
            for (; count < 5; count++) {
                numbers[count] = (unsigned)strtoul(at, (char **)&at, 10);
                if (*at != ';')
                    break;
                at++;
            }
            color = numbers[0];
            assert_in_range(color, 0, 255);
            if (count == 4) {
                assert_int_equal(numbers[1], 2);
                for (int i = 0; i < 3; i++)
                    registers[color][i] = (uint8_t)((numbers[2 + i] * 255 + 50) / 100);
            }
            continue;
        }
        if (c == '$' || c == '-') {
            x = 0;
            y += c == '-' ? 6 : 0;
            continue;
        }
        if (c == '!')
            repeat = (unsigned)strtoul(at, (char **)&at, 10);
        const int bits = (c == '!' ? *at++ : c) - '?';
        assert_in_range(bits, 0, 63);
        for (; repeat > 0; repeat--, x++)
            for (unsigned i = 0; i < 6; i++)
                if (bits >> i & 1) {
                    assert_true(x < width && y + i < height);
                    memcpy(image.rgba + 4 * ((size_t)(y + i) * width + x), registers[color], 3);
                    image.rgba[4 * ((size_t)(y + i) * width + x) + 3] = 255;
                }
    }
    assert_true(at + 1 < end && at[1] == '\\');
    return image;
}

/* The PNG out of its chunks, of which all but the last say that there are more; with ESC once more in tmux. */
static struct image decode_kitty(const struct session *s, const char *begin)
{
    struct text data = {0};
    struct error err = {0};
    struct image image;
    const char *at = s->out, *end = s->out + s->size;
    for (bool more = true; more;) {
        at = memmem(at, (size_t)(end - at), begin, strlen(begin));
        assert_non_null(at);
        const char *semicolon = memchr(at + strlen(begin), ';', 200);
        more = semicolon[-1] == '1';
        const size_t length = strcspn(semicolon + 1, "\x1b");
        assert_true(length <= 4096);
        text_add_bytes(&data, semicolon + 1, length);
        at = semicolon + 1 + length;
        assert_memory_equal(at + strspn(at, "\x1b"), "\\", 1);
    }
    void *png = keep(malloc(data.size));
    size_t size;
    assert_true(base64_decode(data.data, data.size, false, png, &size));
    assert_true(image_decode(&image, png, size, "kitty", &err));
    text_release(&data);
    return image;
}

/* Characters of 24-bit colours: U+2580 has its upper half in the foreground's, U+2584 its lower half; a blank is the background. */
static struct image decode_blocks(const struct session *s, uint32_t width, uint32_t height)
{
    struct image image = blank(width, height);
    uint8_t colors[2][4] = {{0}};
    uint32_t x = 0, y = 0;
    for (const char *at = s->out; *at;) {
        unsigned ground, r, g, b;
        int length = 0;
        if (sscanf(at, "\x1b[%1u8;2;%u;%u;%um%n", &ground, &r, &g, &b, &length) == 4 && length > 0)
            memcpy(colors[ground - 3], (uint8_t[4]){(uint8_t)r, (uint8_t)g, (uint8_t)b, 255}, 4);
        else if (sscanf(at, "\x1b[%1u9m%n", &ground, &length) == 1 && length > 0)
            memset(colors[ground - 3], 0, 4);
        else if (strncmp(at, "\x1b[0m", 4) == 0 && (length = 4))
            memset(colors, 0, sizeof colors);
        else if (*at == '\n' && (length = 1)) {
            x = 0;
            y += 2;
        } else if (*at == '\r')
            length = 1;
        else {
            const bool upper = strncmp(at, "\u2580", 3) == 0, lower = strncmp(at, "\u2584", 3) == 0;
            assert_true(upper || lower || *at == ' ');
            assert_true(x < width && y < height);
            length = upper || lower ? 3 : 1;
            memcpy(image.rgba + 4 * ((size_t)y * width + x), colors[upper ? 0 : 1], 4);
            if (y + 1 < height)
                memcpy(image.rgba + 4 * ((size_t)(y + 1) * width + x), colors[lower ? 0 : 1], 4);
            x++;
        }
        at += length;
    }
    return image;
}

/* Colours on average and at worst as near as this. */
static void assert_shown(struct image *shown, const char *path, double mean, int most)
{
    struct image drawn = read_picture(path);
    double sum = 0;
    int worst = 0;
    assert_int_equal(shown->width, drawn.width);
    assert_int_equal(shown->height, drawn.height);
    for (size_t i = 0; i < 4 * (size_t)drawn.width * drawn.height; i++) {
        const int delta = abs(drawn.rgba[i] - shown->rgba[i]);
        sum += delta;
        worst = delta > worst ? delta : worst;
    }
    sum /= 3.0 * drawn.width * drawn.height;
    if (sum > mean || worst > most)
        fail_msg("%s is shown %g off on average, %d at worst", path, sum, worst);
    image_release(&drawn);
    image_release(shown);
}

/* ---- the tests ------------------------------------------------------------------------------------------------------ */

#define FOX WALKER, "--clip", "wave", "--time", "0.4"
#define DREW(s) (WIFEXITED((s).status) && WEXITSTATUS((s).status) == 0)

static void kittys_protocol_is_taken_first(void **state)
{
    struct session s = {.arguments = {FOX, "--show", "--size", "200x150", "-o", "a.png"},
                        .answer = "\x1b_Gi=31;OK\x1b\\\x1b[6;30;15t\x1b[?62;4;22c"};
    play(&s);
    assert_true(DREW(s) && has_sent(&s, kitty_request));
    assert_true(has_sent(&s, "a=T,f=100,q=2,c=14,r=5,m=")); /* of characters that are 15 wide and 30 high */
    char *end = memmem(s.out, s.size, attributes_request, strlen(attributes_request));
    s.size -= (size_t)(end - s.out);
    s.out = end;
    struct image image = decode_kitty(&s, "\x1b_G");
    assert_shown(&image, "a.png", 0, 0);
}

static void sixels_are_taken_where_they_are(void **state)
{
    struct session s = {.arguments = {FOX, "--show", "--size", "200x151", "-o", "a.png"}, .answer = "\x1b[?62;1;4;22c"};
    play(&s);
    assert_true(DREW(s));
    struct image image = decode_sixel(&s);
    assert_shown(&image, "a.png", 2.5, 40);
    /* A few colours, of which each is one of the picture's but for per cent, and what is clear. */
    struct session flat = {.arguments = {WALKER, "--view", "influences", "--show", "--size", "90x60", "--background", "10305000", "-o", "b.png"},
                           .answer = "\x1b[?64;4c"};
    play(&flat);
    image = decode_sixel(&flat);
    size_t clear = 0;
    for (size_t i = 0; i < 90 * 60; i++)
        clear += image.rgba[4 * i + 3] == 0;
    assert_in_range(clear, 2000, 5000);
    image_release(&image);
}

static void half_blocks_are_everywhere(void **state)
{
    static const char *const answers[] = {"\x1b[?62;22c", "\x1b_Gi=31;EINVAL:no\x1b\\\x1b[?6c", "\x1b[?4c", NULL};
    for (int i = 0; i < 4; i++) {
        struct session s = {.arguments = {FOX, "--show", "--size", "60x77", "-o", "a.png"}, .environment = {"COLORTERM=truecolor"},
                            .answer = answers[i]};
        play(&s);
        assert_true(DREW(s));
        assert_true(answers[i] || s.seconds > 0.5);
        char *end = memmem(s.out, s.size, attributes_request, strlen(attributes_request));
        s.out = end + strlen(attributes_request);
        struct image image = decode_blocks(&s, 60, 77);
        assert_shown(&image, "a.png", 0, 0);
    }
}

static void a_kind_that_is_named_is_not_asked_for(void **state)
{
    static const char *const kinds[] = {"--show=sixel", "--show=kitty", "--show=blocks"};
    for (int i = 0; i < 3; i++) {
        struct session s = {.arguments = {FOX, kinds[i], "--size", "60x77", "-o", "a.png"}, .environment = {"COLORTERM=24bit"}};
        play(&s);
        assert_true(DREW(s) && !has_sent(&s, attributes_request));
        struct image image = i == 0 ? decode_sixel(&s) : i == 1 ? decode_kitty(&s, "\x1b_G") : decode_blocks(&s, 60, 77);
        assert_shown(&image, "a.png", i == 0 ? 2.5 : 0, i == 0 ? 40 : 0);
    }
    struct session s = {.arguments = {FOX, "--show=kitty", "--size", "60x77", "-o", "a.png"}, .environment = {"TMUX=/tmp/tmux,1,0"}};
    play(&s);
    assert_true(has_sent(&s, "\x1bPtmux;\x1b\x1b_Ga=T"));
    struct image image = decode_kitty(&s, "\x1b\x1b_G");
    assert_shown(&image, "a.png", 0, 0);
}

static void what_is_between_is_not_confused(void **state)
{
    struct session tmux = {.arguments = {FOX, "--show", "--size", "60x60"}, .environment = {"TMUX=/tmp/tmux,1,0"}, .answer = "\x1b[?1;2;4c"};
    play(&tmux);
    assert_true(DREW(tmux) && !has_sent(&tmux, kitty_request) && has_sent(&tmux, "\x1bP0;1;0q"));
    struct session screen = {.arguments = {FOX, "--show", "--size", "60x60"}, .environment = {"STY=1.pts", "TERM=screen"}};
    play(&screen);
    assert_true(DREW(screen) && !has_sent(&screen, attributes_request) && has_sent(&screen, "\u2580"));
    assert_true(has_sent(&screen, "\x1b[38;5;") && !has_sent(&screen, "\x1b[38;2;"));
    static const char *const colorless[][2] = {{"TERM=dumb", NULL}, {"NO_COLOR=1", "TERM=linux"}};
    for (int i = 0; i < 2; i++) {
        struct session s = {.arguments = {FOX, "--show", "--size", "60x60", "--background", "000000"},
                            .environment = {colorless[i][0], colorless[i][1]}};
        play(&s);
        assert_true(DREW(s) && !memchr(s.out, '\x1b', s.size));
        size_t lines = 0, blanks = 0;
        for (size_t k = 0; k < s.size; k++) {
            lines += s.out[k] == '\n';
            blanks += s.out[k] == ' ';
        }
        assert_int_equal(lines, 30);
        assert_in_range(blanks, 600, 1600); /* of 1800 */
    }
}

static void pictures_fit_the_terminal(void **state)
{
    struct session blocks = {.arguments = {FOX, "--show=blocks", "--size", "400x200"}, .environment = {"COLORTERM=24bit"}};
    play(&blocks);
    struct image image = decode_blocks(&blocks, COLUMNS, 30);
    image_release(&image);
    struct session high = {.arguments = {FOX, "--show=sixel", "--size", "300x2000"}};
    play(&high);
    image = decode_sixel(&high);
    assert_int_equal(image.height, (ROWS - 1) * CELL_HEIGHT);
    assert_int_equal(image.width, 117);
    image_release(&image);
}

/* A picture comes in place of the one before where they are of a motion. */
static void motion_is_shown_in_place(void **state)
{
    struct session s = {.arguments = {WALKER, "--clip", "walk", "--frames", "0..2", "--show=blocks", "--size", "60x60"},
                        .environment = {"COLORTERM=24bit"}};
    play(&s);
    size_t ups = 0;
    for (char *at = s.out; (at = memmem(at, (size_t)(s.out + s.size - at), "\x1b[30A\r", 6)); at++)
        ups++;
    assert_true(DREW(s));
    assert_int_equal(ups, 2);
    assert_true(s.seconds > 2.0 / 24);
    struct session still = {.arguments = {WALKER, "--clip", "walk", "--time", "0,0.1", "--show=blocks", "--size", "60x20"}};
    play(&still);
    assert_true(DREW(still) && !has_sent(&still, "A\r"));
}

/* The signal does what it would have done, but on a terminal that echoes: play() looks. */
static void a_signal_leaves_the_terminal_as_it_was(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        struct session s = {.arguments = {FOX, "--show", "--size", "60x60", "-o", "a.png"}, .signal = signals[i]};
        play(&s);
        assert_true(WIFSIGNALED(s.status));
        assert_int_equal(WTERMSIG(s.status), signals[i]);
        assert_int_not_equal(access("a.png", F_OK), 0);
    }
}

/* The sheet in place of its frames, and the command for sheets; -o has what is shown. */
static void sheets_are_shown(void **state)
{
    struct session s = {.arguments = {WALKER, "--clip", "walk", "--times", "even:4", "--sheet", "--show=kitty", "--size", "40x40", "-o", "a.png"}};
    play(&s);
    assert_true(DREW(s));
    struct image image = decode_kitty(&s, "\x1b_G");
    assert_shown(&image, "a.png", 0, 0);
    const char *line = rigproof_good("sheet", WALKER, "--clip", "walk", "--size", "24x24", "--show=sixel", "-o", "b.png")->out;
    struct session sheet = {.out = (char *)line, .size = strlen(line)};
    image = decode_sixel(&sheet);
    assert_shown(&image, "b.png", 3, 60);
    assert_contains(rigproof_fails(2, "sheet", WALKER)->err, "or --show");
}

static void without_a_terminal_it_is_said(void **state)
{
    assert_contains(rigproof_fails(2, "render", WALKER, "--show")->err, "--show: standard output is no terminal; name what to write, --show=blocks");
    const struct outcome *run = rigproof_good("render", WALKER, "--show", "--size", "30x30", "-o", "a.png");
    assert_contains(run->err, "nothing is shown");
    assert_string_equal(run->out, "");
    picture_has_size("a.png", 30, 30);
    assert_contains(rigproof_good("render", WALKER, "--show=sixel", "--size", "30x30")->out, "\x1bP0;1;0q\"1;1;30;30#0;2;");
    assert_contains(rigproof_fails(2, "render", WALKER, "--show=png")->err, "--show: no `png`; ");
    assert_contains(rigproof_fails(2, "render", WALKER, "--show=sixel", "-o", "-")->err, "are for standard output");
    assert_contains(rigproof_fails(2, "render", WALKER)->err, "render: no output is named; ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(kittys_protocol_is_taken_first),
        scratch_test(sixels_are_taken_where_they_are),
        scratch_test(half_blocks_are_everywhere),
        scratch_test(a_kind_that_is_named_is_not_asked_for),
        scratch_test(what_is_between_is_not_confused),
        scratch_test(pictures_fit_the_terminal),
        scratch_test(motion_is_shown_in_place),
        scratch_test(a_signal_leaves_the_terminal_as_it_was),
        scratch_test(sheets_are_shown),
        scratch_test(without_a_terminal_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
