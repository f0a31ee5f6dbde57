#include "review/review.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file/file.h"
#include "base/file/file_writer.h"
#include "base/log.h"
#include "base/shared_library.h"
#include "base/memory.h"
#include "base/process/process.h"
#include "base/stop_signals.h"
#include "report/report.h"

EMBEDDED(review_source);
extern char **environ;

/* libmicrohttpd brings GnuTLS along. */
#define FUNCTIONS(X)                                                                                                   \
    X(start_daemon)                                                                                                    \
    X(stop_daemon) X(run_wait) X(get_daemon_info) X(get_connection_info) X(get_connection_values)                      \
        X(lookup_connection_value) X(create_response_from_buffer) X(add_response_header) X(queue_response)             \
            X(destroy_response)

static struct {
#define X(name) __typeof__(MHD_##name) *name;
    FUNCTIONS(X)
#undef X
} mhd;

enum {
    TOKEN_BYTES = 16,
    TOKEN_LENGTH = 2 * TOKEN_BYTES,
    BODY_LIMIT = 256 << 10,
    PICTURE_LIMIT = 64 << 20,
    CONNECTION_LIMIT = 64,
    HEADER_LIMIT = 32 << 10, /* bytes a connection */
    CONNECTIONS_FREE = 16,   /* that a newcomer always finds */
    IDLE_SECONDS = 30,
    CLOSED_SECONDS = 10,     /* a page that was closed may be loaded anew, or be open in another tab too */
    SILENT_SECONDS = 120,    /* of a page that was not closed: browsers let hidden ones speak once a minute */
    GRACE_SECONDS = 20,      /* to take the last decision back */
};

static volatile sig_atomic_t stopped;

struct server {
    struct review *review;
    const struct review_service *service;
    struct MHD_Daemon *daemon;
    char token[TOKEN_LENGTH + 1], nonce[TOKEN_LENGTH + 1];
    char hosts[2][32];      /* how the server may be addressed: "127.0.0.1:4711" */
    struct text policy;
    struct text page;
    struct page_service pages;
    struct visitor *visitors;
    double heard;           /* when the page last asked for something */
    double decided;         /* when the last case was decided; 0: some are not */
    bool was_opened, was_closed, is_finished, is_over;
};

/* A connection. */
struct visitor {
    struct visitor *next;
    int fd;
    bool knows_token;
};

/* A request whose rest is still to come. */
struct request {
    enum review_action action; /* of POST; ACTION_NONE: it is a GET */
    struct text body;
};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static enum MHD_Result answer(struct server *server, struct MHD_Connection *connection, unsigned status,
                              const char *type, struct MHD_Response *response)
{
    bool is_page = strncmp(type, "text/html", 9) == 0;
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"Content-Security-Policy",
         is_page ? text_string(&server->policy) : "default-src 'none'; frame-ancestors 'none'"},
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        mhd.add_response_header(response, headers[i][0], headers[i][1]);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        mhd.add_response_header(response, "Allow", "GET, POST");
    enum MHD_Result result = mhd.queue_response(connection, status, response);
    mhd.destroy_response(response);
    return result;
}

/* One plain line. */
static enum MHD_Result refuse(struct server *server, struct MHD_Connection *connection, unsigned status,
                              const char *why)
{
    SCOPED(text) line = {0};
    text_addf(&line, "%s\n", why);
    struct MHD_Response *response = mhd.create_response_from_buffer(line.size, line.data, MHD_RESPMEM_MUST_COPY);
    return answer(server, connection, status, "text/plain; charset=utf-8", response);
}

/* The text's memory becomes the response's. */
static enum MHD_Result give(struct server *server, struct MHD_Connection *connection, const char *type, void *data,
                            size_t size)
{
    return answer(server, connection, MHD_HTTP_OK, type,
                  mhd.create_response_from_buffer(size, data, MHD_RESPMEM_MUST_FREE));
}

/* A whole number below `limit`, of digits alone; else `limit`. */
static size_t read_number(const char *text, size_t limit)
{
    const size_t length = strspn(text, "0123456789");
    const size_t number = length > 0 && length < 10 && text[length] == '\0' ? strtoul(text, NULL, 10) : limit;
    return number < limit ? number : limit;
}

/* The file that "picture/3" of the page stands for; NULL for anything else. */
static const char *find_picture(const struct server *server, const char *path)
{
    const bool is_one = strncmp(path, "picture/", 8) == 0;
    const size_t count = server->pages.picture_count, number = is_one ? read_number(path + 8, count) : count;
    return number < count ? server->pages.pictures[number] : NULL;
}

static enum MHD_Result give_picture(struct server *server, struct MHD_Connection *connection, const char *path)
{
    struct blob file = {0};
    struct error err = {0};
    const char *place = find_picture(server, path);
    bool good =
        place ? file_read(place, PICTURE_LIMIT, &file, &err) : error_set(&err, "there is nothing at this address");
    if (good && file.size >= 8 && memcmp(file.data, "\x89PNG\r\n\x1a\n", 8) == 0)
        return give(server, connection, "image/png", file.data, file.size);
    blob_release(&file);
    return refuse(server, connection, MHD_HTTP_NOT_FOUND, good ? "that file is not a PNG" : err.text);
}

static enum MHD_Result give_text(struct server *server, struct MHD_Connection *connection, const char *path)
{
    struct text text = {0};
    if (*path == '\0') {
        server->was_opened = true;
        return answer(server, connection, MHD_HTTP_OK, "text/html; charset=utf-8",
                      mhd.create_response_from_buffer(server->page.size, server->page.data, MHD_RESPMEM_PERSISTENT));
    }
    if (strcmp(path, "cases") != 0)
        return give_picture(server, connection, path);
    review_describe(server->review, GRACE_SECONDS, &text);
    return give(server, connection, "application/json", text.data, text.size);
}

static enum MHD_Result act(struct server *server, struct MHD_Connection *connection, struct request *request)
{
    struct text reply = {0};
    SCOPED(text) said = {0};
    struct error err = {0};
    bool good =
        strlen(text_string(&request->body)) == request->body.size || error_set(&err, "the body has a zero byte");
    good = good && review_act(server->review, request->action, text_string(&request->body), &reply, &said, &err);
    fputs(text_string(&said), stdout);
    fflush(stdout);
    if (!good) {
        text_release(&reply);
        return refuse(server, connection, MHD_HTTP_BAD_REQUEST, err.text);
    }
    if (review_count(server->review).left > 0)
        server->decided = 0;
    else if (server->decided == 0 || request->action == ACTION_UNDO)
        server->decided = server->heard;
    server->was_closed = request->action == ACTION_LEAVE;
    server->is_finished = request->action == ACTION_FINISH;
    return give(server, connection, "application/json", reply.data, reply.size);
}

/* ---- who is let in ----------------------------------------------------------------------------------------------- */

struct headers {
    const struct server *server;
    unsigned hosts; /* that were given: exactly one must be */
    bool is_foreign;
    bool is_cross_site, is_navigation, is_document;
};

/* A name that leads here from elsewhere (DNS rebinding) is not the server's; nor is any page's origin but its own. */
static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct headers *headers = context;
    const char *host = value ? value : "";
    (void)kind;
    if (strcasecmp(name, MHD_HTTP_HEADER_ORIGIN) == 0 && strncmp(host, "http://", 7) == 0)
        host += 7;
    else if (strcasecmp(name, MHD_HTTP_HEADER_ORIGIN) == 0)
        headers->is_foreign = true;
    else if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0)
        headers->hosts++;
    else {
        headers->is_cross_site |= strcasecmp(name, "Sec-Fetch-Site") == 0 && strcmp(host, "same-origin") != 0 &&
                                  strcmp(host, "none") != 0;
        headers->is_navigation |= strcasecmp(name, "Sec-Fetch-Mode") == 0 && strcmp(host, "navigate") == 0;
        headers->is_document |= strcasecmp(name, "Sec-Fetch-Dest") == 0 && strcmp(host, "document") == 0;
        return MHD_YES;
    }
    headers->is_foreign |= strcmp(host, headers->server->hosts[0]) != 0 && strcmp(host, headers->server->hosts[1]) != 0;
    return MHD_YES;
}

/* Returns what follows "/TOKEN/" in the address, or NULL without the token. It takes the same time whatever part of
 * it is right. */
static const char *behind_token(const struct server *server, const char *url)
{
    unsigned differs = 0;
    if (strlen(url) < TOKEN_LENGTH + 2 || url[0] != '/' || url[TOKEN_LENGTH + 1] != '/')
        return NULL;
    for (size_t i = 0; i < TOKEN_LENGTH; i++)
        differs |= (unsigned char)(url[1 + i] ^ server->token[i]);
    return differs == 0 ? url + TOKEN_LENGTH + 2 : NULL;
}

/* The part of the address behind the token, for who may be here; else NULL. A link somewhere else may lead to the
 * page itself in a tab of its own: who follows it has the token, and the page cannot be seen by where the link was. */
static const char *let_in(const struct server *server, struct MHD_Connection *connection, const char *url,
                          const char *method)
{
    struct headers headers = {.server = server};
    mhd.get_connection_values(connection, MHD_HEADER_KIND, look_at_header, &headers);
    const char *path = behind_token(server, url);
    bool follows_link = path && *path == '\0' && strcmp(method, MHD_HTTP_METHOD_GET) == 0 && headers.is_navigation &&
                        headers.is_document;
    return headers.hosts == 1 && !headers.is_foreign && (!headers.is_cross_site || follows_link) ? path : NULL;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static enum MHD_Result begin_request(struct server *server, struct MHD_Connection *connection, const char *url,
                                     const char *method, void **state)
{
    const char *path = let_in(server, connection, url, method);
    if (!path)
        return refuse(server, connection, MHD_HTTP_FORBIDDEN,
                      "403: the address that rigproof review printed has a token, and only that page may ask");
    const union MHD_ConnectionInfo *info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct visitor *visitor = info ? info->socket_context : NULL;
    if (visitor)
        visitor->knows_token = true;
    server->heard = clock_seconds();
    server->was_closed = false;
    bool is_get = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
    if (!is_get && strcmp(method, MHD_HTTP_METHOD_POST) != 0)
        return refuse(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "405: only GET and POST");
    enum review_action action = is_get ? ACTION_NONE : review_action_find(path);
    if (!is_get && action == ACTION_NONE)
        return refuse(server, connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
    const char *length = mhd.lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length && strtoull(length, NULL, 10) > BODY_LIMIT)
        return refuse(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "413: the body is too long");
    struct request *request = memory_new(1, sizeof *request);
    request->action = action;
    *state = request;
    return MHD_YES;
}

/* Called for a request's head, for each part of its body, and at its end. */
static enum MHD_Result take_request(void *context, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *data, size_t *size,
                                    void **state)
{
    struct server *server = context;
    struct request *request = *state;
    (void)version;
    if (!request)
        return begin_request(server, connection, url, method, state);
    if (*size == 0)
        return request->action == ACTION_NONE ? give_text(server, connection, behind_token(server, url))
                                              : act(server, connection, request);
    if (request->body.size + *size > BODY_LIMIT)
        return MHD_NO; /* closes the connection */
    text_add_bytes(&request->body, data, *size);
    *size = 0;
    return MHD_YES;
}

static void end_request(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode why)
{
    struct server *server = context;
    FREED struct request *request = *state;
    (void)connection;
    (void)why;
    server->is_over |= server->is_finished; /* its answer was sent */
    if (request)
        text_release(&request->body);
    *state = NULL;
}

/* Those who send a byte now and then would hold all the connections there are: the one that has not shown the token
 * for longest makes room. */
static void make_room(const struct server *server)
{
    const struct visitor *oldest = NULL;
    size_t count = 0;
    for (const struct visitor *visitor = server->visitors; visitor; visitor = visitor->next, count++)
        oldest = visitor->knows_token ? oldest : visitor;
    if (oldest && count > CONNECTION_LIMIT - CONNECTIONS_FREE)
        shutdown(oldest->fd, SHUT_RDWR);
}

static void note_connection(void *context, struct MHD_Connection *connection, void **state,
                            enum MHD_ConnectionNotificationCode what)
{
    struct server *server = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        struct visitor *visitor = memory_new(1, sizeof *visitor);
        *visitor = (struct visitor){
            .next = server->visitors,
            .fd = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd};
        server->visitors = visitor;
        *state = visitor;
        make_room(server);
        return;
    }
    for (struct visitor **at = &server->visitors; *at; at = &(*at)->next)
        if (*at == *state) {
            *at = (*at)->next;
            break;
        }
    free(*state);
    *state = NULL;
}

/* ---- its life ---------------------------------------------------------------------------------------------------- */

static void note_stop(int number)
{
    (void)number;
    stopped = 1;
}

static bool is_over(const struct server *server, double now)
{
    double silence = now - server->heard, timeout = server->service->timeout;
    return server->is_over || (server->decided > 0 && now > server->decided + GRACE_SECONDS) || silence > timeout ||
           (server->was_opened && silence > SILENT_SECONDS) || (server->was_closed && silence > CLOSED_SECONDS);
}

/* Leaves the address as it was sent: nothing here needs an escape, and none can stand for a slash. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *url)
{
    (void)context;
    (void)connection;
    return strlen(url);
}

static bool start(struct server *server, struct error *err)
{
#define X(name) "MHD_" #name,
    static const char *const names[] = {FUNCTIONS(X) NULL};
#undef X
    if (!library_open(MICROHTTPD_FILES, names, &mhd, err))
        return error_prefix(err, "review");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->service->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->daemon = mhd.start_daemon(
        MHD_NO_FLAG, 0, NULL, NULL, take_request, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTION_LIMIT, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_LIMIT, MHD_OPTION_NOTIFY_COMPLETED, end_request, server,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? mhd.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info)
        return error_set(err, "cannot listen at 127.0.0.1:%u: %s", server->service->port, strerror(errno));
    snprintf(server->hosts[0], sizeof server->hosts[0], "127.0.0.1:%u", (unsigned)info->port);
    snprintf(server->hosts[1], sizeof server->hosts[1], "localhost:%u", (unsigned)info->port);
    return true;
}

static bool draw_secret(char out[static TOKEN_LENGTH + 1], struct error *err)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return error_set(err, "the system gives no random numbers for the address: %s", strerror(errno));
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static void make_page(struct server *server, const char *folder)
{
    SCOPED(text) meta = {0};
    text_addf(&meta, "default-src 'none'; img-src 'self' data: blob:; connect-src 'self'; style-src 'nonce-%s'; "
                     "script-src 'nonce-%s'; base-uri 'none'; form-action 'none'", server->nonce, server->nonce);
    text_addf(&server->policy, "%s; frame-ancestors 'none'", text_string(&meta));
    server->pages = (struct page_service){.policy = text_string(&meta), .nonce = server->nonce};
    for (unsigned i = 0; i < review_source_count; i++)
        *(strstr(review_sources[i].name, ".css") ? &server->pages.style : &server->pages.script) =
            review_sources[i].text;
    report_html(server->review->results, folder, &server->pages, &server->page);
}

static void run(struct server *server)
{
    stop_signals_catch(note_stop, 0);
    for (double now = clock_seconds(); !stopped && !is_over(server, now); now = clock_seconds())
        mhd.run_wait(server->daemon, 500);
    temporaries_catch_signals();
}

/*
 * Opens an address that is a secret: the arguments of a program can be read by everybody on a machine, so the browser
 * gets a file that nobody else can read and that leads there.
 */
struct browser {
    char path[64]; /* "" without one */
    int pid;
};

/* Warns when it does not work: the address is printed all the same. */
static void browser_open(struct browser *browser, const char *url)
{
    SCOPED(text) page = {0};
    char program[] = "xdg-open";
    posix_spawn_file_actions_t actions;
    strcpy(browser->path, "/tmp/rigproof-review-XXXXXX.html");
    int fd = mkstemps(browser->path, 5); /* readable by its owner alone */
    text_addf(&page,
              "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
              "<meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">rigproof review</a>\n",
              url, url);
    bool good = fd >= 0 && write_all(fd, page.data, page.size);
    if (fd >= 0)
        close(fd);
    else
        browser->path[0] = '\0';
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int failed = good ? posix_spawnp(&browser->pid, program, &actions, NULL,
                                     (char *[]){program, browser->path, NULL}, environ) : errno;
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        log_warning("--open: xdg-open cannot be started: %s", strerror(failed));
    browser->pid = failed ? 0 : browser->pid;
}

static void browser_close(struct browser *browser)
{
    if (browser->pid > 0)
        waitpid(browser->pid, NULL, WNOHANG);
    if (browser->path[0])
        unlink(browser->path);
}

bool review_serve(struct review *review, const char *folder, const struct review_service *service, struct error *err)
{
    struct server server = {.review = review, .service = service, .heard = clock_seconds()};
    struct browser browser = {0};
    SCOPED(text) url = {0};
    bool good = draw_secret(server.token, err) && draw_secret(server.nonce, err) && start(&server, err);
    if (good) {
        make_page(&server, folder);
        text_addf(&url, "http://%s/%s/", server.hosts[0], server.token);
        printf("%s\n", text_string(&url));
        fflush(stdout);
        if (service->opens_browser)
            browser_open(&browser, text_string(&url));
        run(&server);
        browser_close(&browser);
    }
    if (server.daemon)
        mhd.stop_daemon(server.daemon);
    text_release(&server.policy);
    text_release(&server.page);
    page_service_release(&server.pages);
    return good;
}
