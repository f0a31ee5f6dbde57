/* --show on terminals that are played here, by chafa and by half blocks. */

#include "cli/pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

enum { COLUMNS = 60, ROWS = 40, CELL_WIDTH = 10, CELL_HEIGHT = 20, MOST = 1 << 22 };

struct session {
    const char *arguments[24], *environment[6];
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

/* Runs it to its end. */
static void play(struct session *s)
{
    char name[64];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize window = {.ws_row = ROWS, .ws_col = COLUMNS, .ws_xpixel = COLUMNS * CELL_WIDTH, .ws_ypixel = ROWS * CELL_HEIGHT};
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 ||
        ptsname_r(terminal, name, sizeof name) != 0)
        skip_because("no pseudo terminals");
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &window), 0);
    int kept = open(name, O_RDWR | O_NOCTTY);
    const double start = now();
    bool has_ended = false;
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
    }
    s->seconds = now() - start;
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
    assert_true(image_create(&image, width, height, ANY_ERROR));
    return image;
}

/* A place in PATH for a program of this test's, or for none. */
static void use_path_of_here(void)
{
    static char path[4096] = "PATH=";
    assert_non_null(getcwd(path + 5, sizeof path - 5));
    putenv(path);
}

/* A chafa that says how it was called and keeps the picture. */
static void write_chafa(void)
{
    spill("chafa", "#!/bin/sh\necho \"chafa $*\"\n/bin/cat >shown.png\n");
    chmod("chafa", 0755);
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
    SCOPED(image) drawn = read_picture(path);
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
    image_release(shown);
}

/* ---- the tests ------------------------------------------------------------------------------------------------------ */

#define FOX WALKER, "--clip", "wave", "--time", "0.4"
#define DREW(s) (WIFEXITED((s).status) && WEXITSTATUS((s).status) == 0)

SCRATCH_TEST(chafa_makes_the_pictures)
{
    static const struct {
        const char *kind, *call;
    } cases[] = {
        {"--show", "chafa --animate=off --size=60x39 -\r\n"},
        {"--show=kitty", "chafa --animate=off --size=60x39 --format=kitty -\r\n"},
        {"--show=sixel", "chafa --animate=off --size=60x39 --format=sixel -\r\n\r\n"},
    };
    write_chafa();
    use_path_of_here();
    for (size_t i = 0; i < 3; i++) {
        struct session s = {.arguments = {FOX, cases[i].kind, "--size", "200x150", "-o", "a.png"}};
        play(&s);
        assert_true(DREW(s));
        assert_string_equal(s.out, cases[i].call);
        struct image image = read_picture("shown.png");
        assert_shown(&image, "a.png", 0, 0);
    }
}

SCRATCH_TEST(half_blocks_are_everywhere)
{
    use_path_of_here();
    for (int i = 0; i < 2; i++) {
        struct session s = {.arguments = {FOX, i ? "--show" : "--show=blocks", "--size", "60x77", "-o", "a.png"},
                            .environment = {"COLORTERM=truecolor"}};
        play(&s);
        assert_true(DREW(s));
        struct image image = decode_blocks(&s, 60, 77);
        assert_shown(&image, "a.png", 0, 0);
    }
    struct session few = {.arguments = {FOX, "--show", "--size", "60x60"}};
    play(&few);
    assert_true(DREW(few) && has_sent(&few, "\x1b[38;5;") && !has_sent(&few, "\x1b[38;2;"));
}

SCRATCH_TEST(without_colours_brightness_is_shown)
{
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

SCRATCH_TEST(pictures_fit_the_terminal)
{
    struct session blocks = {.arguments = {FOX, "--show=blocks", "--size", "400x200"}, .environment = {"COLORTERM=24bit"}};
    play(&blocks);
    struct image image = decode_blocks(&blocks, COLUMNS, 30);
    image_release(&image);
    struct session high = {.arguments = {FOX, "--show=blocks", "--size", "300x2000"}, .environment = {"COLORTERM=24bit"}};
    play(&high);
    image = decode_blocks(&high, 12, 2 * (ROWS - 1));
    image_release(&image);
}

/* A picture comes in place of the one before where they are of a motion. */
SCRATCH_TEST(motion_is_shown_in_place)
{
    struct session s = {.arguments = {WALKER, "--clip", "walk", "--frames", "0..2", "--show=blocks", "--size", "60x60"},
                        .environment = {"COLORTERM=24bit"}};
    play(&s);
    size_t backs = 0;
    for (char *at = s.out; (at = memmem(at, (size_t)(s.out + s.size - at), "\x1b" "8", 2)); at++)
        backs++;
    assert_true(DREW(s) && has_sent(&s, "\x1b[39A\r\x1b" "7"));
    assert_int_equal(backs, 2);
    assert_true(s.seconds > 2.0 / 24);
    struct session still = {.arguments = {WALKER, "--clip", "walk", "--time", "0,0.1", "--show=blocks", "--size", "60x20"}};
    play(&still);
    assert_true(DREW(still) && !has_sent(&still, "\x1b" "7") && !has_sent(&still, "\x1b" "8"));
}

/* The sheet in place of its frames, and the command for sheets; -o has what is shown. */
SCRATCH_TEST(sheets_are_shown)
{
    static const char *const chafa[] = {"chafa --animate=off --size=80 --format=kitty -\n", "chafa --animate=off --size=80 --format=sixel -\n\n"};
    write_chafa();
    use_path_of_here();
    for (int i = 0; i < 2; i++) {
        const struct outcome *run = i == 0 ? rigproof_good("render", WALKER, "--clip", "walk", "--times", "even:4", "--sheet", "--show=kitty",
                                                           "--size", "40x40", "-o", "a.png")
                                           : rigproof_good("sheet", WALKER, "--clip", "walk", "--size", "24x24", "--show=sixel", "-o", "a.png");
        struct image image = read_picture("shown.png");
        assert_string_equal(run->out, chafa[i]);
        assert_shown(&image, "a.png", 0, 0);
    }
    rigproof_refuses("or --show", "sheet", WALKER);
}

/* The real one, where it is installed: its pictures begin as their protocols do. */
SCRATCH_TEST(chafa_takes_what_it_is_given)
{
    if (system("chafa --version >/dev/null 2>&1") != 0)
        skip_because("chafa is not installed");
    assert_contains(rigproof_good("render", FOX, "--show=sixel", "--size", "60x60")->out, "\x1bP0;1;0q\"1;1;");
    assert_contains(rigproof_good("render", FOX, "--show=kitty", "--size", "60x60")->out, "\x1b_Ga=T,");
}

SCRATCH_TEST(what_cannot_be_shown_is_said)
{
    assert_contains(rigproof_fails(2, "render", WALKER, "--show")->err, "--show: standard output is no terminal; name what to write, --show=blocks");
    const struct outcome *run = rigproof_good("render", WALKER, "--show", "--size", "30x30", "-o", "a.png");
    assert_contains(run->err, "nothing is shown");
    assert_string_equal(run->out, "");
    picture_has_size("a.png", 30, 30);
    rigproof_refuses("--show: no `png`; ", "render", WALKER, "--show=png");
    rigproof_refuses("are for standard output", "render", WALKER, "--show=sixel", "-o", "-");
    rigproof_refuses("render: no output is named; ", "render", WALKER);
    use_path_of_here();
    rigproof_refuses("--show: there is no chafa in PATH", "render", WALKER, "--show=sixel");
    spill("chafa", "#!/bin/sh\necho 'Failed to open' >&2\nexit 2\n");
    chmod("chafa", 0755);
    rigproof_refuses("--show: chafa: Failed to open", "render", WALKER, "--show=kitty");
}
