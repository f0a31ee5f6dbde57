"""What others may send to a review's server: another page in the same browser, another program on the machine.
    attack.py RIGPROOF FIXTURES"""
import os
import socket
import time
import unittest

import scene

LIMIT_BODY = 256 << 10


class Attack(scene.Scene):
    def raw(self, review, *parts, pause=0.0, wait=20):
        """What is answered to bytes as they are; b"" when the connection is closed without a word."""
        got = b""
        with socket.create_connection(("127.0.0.1", review.port), timeout=wait) as connection:
            try:
                for part in parts:
                    connection.sendall(part)
                    time.sleep(pause)
                while True:
                    some = connection.recv(65536)
                    if not some:
                        return got
                    got += some
                    if b"\r\n\r\n" in got and b"Connection: close" not in got:
                        return got
            except (ConnectionResetError, BrokenPipeError):
                return got

    def refused(self, answer, status=403):
        self.assertEqual(answer[0], status, answer)
        self.assertEqual(answer[2].count(b"\n"), 1)
        self.assertEqual(answer[1]["Content-Type"], "text/plain; charset=utf-8")
        self.assertNotIn("Access-Control-Allow-Origin", answer[1])

    def still_works(self, review):
        self.assertEqual(review.act("beat")["marks"], "-" * len(scene.NAMES))
        self.assertEqual(self.changed(), [])

    def test_listens_on_the_loopback_alone(self):
        review = self.review()
        with open("/proc/net/tcp") as file:
            local = [line.split()[1] for line in file if line.split()[1].endswith(":%04X" % review.port)]
        self.assertIn("0100007F:%04X" % review.port, local)
        self.assertNotIn("00000000:%04X" % review.port, local)

    def test_addresses_differ(self):
        self.assertEqual(len({self.review().token for _ in range(4)}), 4)

    def test_nothing_without_the_token(self):
        review = self.review()
        wrong = [review.token[:-1], review.token + "0", "0" * 32, review.token.upper(), "%" + review.token[1:], "",
                 *[review.token[:i] + ("0" if review.token[i] != "0" else "1") + review.token[i + 1:] for i in (0, 15, 31)]]
        for token in wrong:
            if token == review.token: # one of digits alone
                continue
            for method, path in (("GET", ""), ("GET", "cases"), ("GET", "picture/0"), ("POST", "look"), ("POST", "accept"),
                                 ("POST", "finish"), ("DELETE", "x")):
                self.refused(review.ask(path, method, "0" if method == "POST" else None, token=token))
        for line in (b"GET / HTTP/1.1", b"GET /%s HTTP/1.1" % review.token.encode(), b"GET //%s/ HTTP/1.1" % review.token.encode(),
                     b"GET /?token=%s HTTP/1.1" % review.token.encode(), b"GET /x/../%s/ HTTP/1.1" % review.token.encode()):
            self.assertIn(b" 403 ", self.raw(review, line + b"\r\nHost: %s\r\nConnection: close\r\n\r\n" % review.host.encode()))
        self.still_works(review)

    def test_other_hosts_are_refused(self):
        """A name that somebody else resolves to 127.0.0.1."""
        review = self.review()
        for host in ("attacker.example:%d" % review.port, "127.0.0.1", "127.0.0.1:1", "127.0.0.1:%d.attacker.example" % review.port,
                     "attacker.example", "0.0.0.0:%d" % review.port, "[::1]:%d" % review.port, "", "127.0.0.2:%d" % review.port):
            self.refused(review.ask("", headers={"Host": host}))
            self.refused(review.ask("accept", "POST", "0", headers={"Host": host}))
        self.assertEqual(review.ask("", headers={"Host": "localhost:%d" % review.port})[0], 200)
        start = b"GET /%s/ HTTP/1.1\r\n" % review.token.encode()
        good, bad = b"Host: %s\r\n" % review.host.encode(), b"Host: attacker.example\r\n"
        self.assertIn(b" 200 ", self.raw(review, start + good + b"Connection: close\r\n\r\n"))
        for hosts in (bad + good, good + bad, b"", good + good):
            self.assertNotIn(b" 200 ", self.raw(review, start + hosts + b"Connection: close\r\n\r\n"))
        self.still_works(review)

    def test_other_origins_are_refused(self):
        review = self.review()
        for origin in ("http://attacker.example", "null", "https://" + review.host, "http://127.0.0.1:1", "http://127.0.0.1", "",
                       "http://%s.attacker.example" % review.host, "http://%s/" % review.host, "file://"):
            self.refused(review.ask("look", "POST", "0", headers={"Origin": origin}))
            self.refused(review.ask("cases", headers={"Origin": origin}))
            self.refused(review.ask("accept", "OPTIONS", headers={"Origin": origin, "Access-Control-Request-Method": "POST"}))
        self.still_works(review)
        self.assertEqual(review.ask("beat", "POST", "", headers={"Origin": "http://" + review.host})[0], 200)

    def test_other_sites_may_only_link_here(self):
        review = self.review()
        for site in ("cross-site", "same-site", "", "same-origin, cross-site"):
            elsewhere = {"Sec-Fetch-Site": site}
            link = {**elsewhere, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
            self.refused(review.ask("", headers=elsewhere))
            self.refused(review.ask("", headers={**link, "Sec-Fetch-Dest": "iframe"}))
            self.refused(review.ask("", headers={**link, "Sec-Fetch-Mode": "no-cors"}))
            self.refused(review.ask("accept", "POST", "0", headers=link))
            self.refused(review.ask("cases", headers=link))
            self.refused(review.ask("picture/0", headers=link))
            self.assertEqual(review.ask("", headers=link)[0], 200)
        for site in ("same-origin", "none"):
            self.assertEqual(review.ask("", headers={"Sec-Fetch-Site": site})[0], 200)
        self.still_works(review)

    def test_names_never_become_paths(self):
        review = self.review()
        secret = os.path.join(self.scratch, "secret.png")
        with open(secret, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\nsecret")
        dots = ["../../secret.png", "..%2f..%2fsecret.png", "%2e%2e/%2e%2e/secret.png", "..%252f..%252fsecret.png", "/etc/passwd", "0/../../x",
                "0/", "0%00", "00000000000", "-1", "+0", " 0", "99999", "4294967296", "18446744073709551616", "1e0", "0x0", "",
                "bend/0.250.png"]
        for path in dots:
            got = self.raw(review, b"GET /%s/picture/%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (
                review.token.encode(), path.encode(), review.host.encode()))
            self.assertNotIn(b" 200 ", got, path)
            self.assertNotIn(b"secret\x00", got)
        for path in ("../cases", "%63ases", "cases/", "cases?x/../../", "etc/passwd", "report.html", "results.json", "."):
            if "?" not in path:
                self.assertEqual(review.ask(path)[0], 404, path)
        for body in (*dots[:5], "0,../1", '{"cases":["bend"]}', "bend", "6", "0;1", "0\n1", "0\0001", "0,", "0," * 5 + "0,0", "\u00b2"):
            for action in ("look", "accept", "skip"):
                self.refused(review.ask(action, "POST", body.encode()), 400)
        for action in ("Accept", "accept/", "accept/0", "../accept", "acc", ""):
            self.assertIn(review.ask(action, "POST", "0")[0], (404, 405), action)
        self.still_works(review)

    def test_unknown_methods(self):
        review = self.review()
        for method in ("PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT", "PATCH", "PROPFIND", "get"):
            for path in ("", "accept", "cases"):
                status = review.ask(path, method)[0]
                self.assertEqual(status, 405, method)
        self.assertEqual(review.ask("accept")[0], 404)  # a link or a picture cannot accept
        self.assertEqual(review.ask("look")[0], 404)
        self.still_works(review)

    def test_only_what_was_looked_at(self):
        review = self.review()
        self.assertEqual(review.act("accept", "0,1,2,3,4,5")["marks"], "------")
        self.assertEqual(self.changed(), [])
        review.act("look", "3")
        self.assertEqual(review.act("accept", "0,1,2,3,4,5")["marks"], "---a--")
        self.assertEqual(self.changed(), ["new-b"])

    def test_headers_of_every_answer(self):
        review = self.review()
        for answer in (review.ask(), review.ask("cases"), review.ask("picture/0"), review.ask("nothing"), review.ask(token="0" * 32),
                       review.ask("beat", "POST", "")):
            headers = answer[1]
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            for name, value in (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                                ("X-Frame-Options", "DENY"), ("Cross-Origin-Resource-Policy", "same-origin")):
                self.assertEqual(headers[name], value)
            self.assertNotIn("Access-Control-Allow-Origin", headers)
            self.assertNotIn("Set-Cookie", headers)
        page = review.ask()
        self.assertNotIn("unsafe", page[1]["Content-Security-Policy"])
        self.assertNotIn("http", page[1]["Content-Security-Policy"])
        self.assertNotIn(review.token.encode(), page[2])
        self.assertEqual(review.ask("picture/0")[1]["Content-Type"], "image/png")

    def test_pictures_are_pictures(self):
        """results.json of an artifact may name any file."""
        path = os.path.join(self.folder, "out/check/bend/0.250.heat.png")
        with open(path, "wb") as file:
            file.write(b"not a picture")
        review = self.review()
        found = [review.ask("picture/%d" % i) for i in range(20)]
        self.assertTrue(any(answer[0] == 404 and b"not a PNG" in answer[2] for answer in found))
        self.assertFalse(any(b"not a picture" in answer[2] for answer in found))

    def test_large_requests(self):
        review = self.review()
        head = "POST /%s/look HTTP/1.1\r\nHost: %s\r\n" % (review.token, review.host)
        self.assertIn(b" 413 ", self.raw(review, (head + "Content-Length: %d\r\n\r\n" % (LIMIT_BODY + 1)).encode()))
        self.assertNotIn(b" 200 ", self.raw(review, (head + "Content-Length: 99999999999999999999999\r\n\r\n").encode()))
        chunk = b"%x\r\n%s\r\n" % (65536, b"0" * 65536)
        self.assertNotIn(b" 200 ", self.raw(review, (head + "Transfer-Encoding: chunked\r\n\r\n").encode(), *[chunk] * 8))
        for size in (40000, 1 << 20):
            self.assertNotIn(b" 200 ", self.raw(review, (head + "X: " + "a" * size + "\r\n\r\n").encode()))
            self.assertNotIn(b" 200 ", self.raw(review, ("GET /%s/%s HTTP/1.1\r\nHost: %s\r\n\r\n" % (review.token, "a" * size, review.host)).encode()))
        self.assertNotIn(b" 200 ", self.raw(review, (head + "X: y\r\n" * 20000 + "\r\n").encode()))
        self.still_works(review)

    def test_garbage(self):
        review = self.review()
        start = ("GET /%s/ HTTP/1.1\r\nHost: %s\r\n" % (review.token, review.host)).encode()
        for i, garbage in enumerate((b"\0" * 100, b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\r\n" * 50, b"GET / HTTP/9.9\r\n\r\n", b"POST", b"G" * 5000,
                                     start[:-2] + b"Content-Length: -1\r\n\r\n", start + b" folded: x\r\n\r\n", start + b"no colon\r\n\r\n",
                                     start + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", bytes(range(256)) * 4)):
            with socket.create_connection(("127.0.0.1", review.port), timeout=20) as connection:
                connection.sendall(garbage)
                if i % 2:
                    connection.shutdown(socket.SHUT_WR)
        for i in range(300):
            with socket.create_connection(("127.0.0.1", review.port), timeout=20) as connection:
                connection.sendall(os.urandom(i))
        self.still_works(review)

    def test_connections_that_hang(self):
        """More than there is room for, each of which sends a byte now and then: they are closed, and the page is answered."""
        review = self.review()
        hanging = [socket.create_connection(("127.0.0.1", review.port), timeout=20) for _ in range(100)]
        started = time.monotonic()
        try:
            while time.monotonic() < started + 1.5:
                for connection in hanging:
                    try:
                        connection.send(b"G")
                    except OSError:
                        pass
                time.sleep(0.5)
            self.still_works(review)
        finally:
            for connection in hanging:
                connection.close()

    def test_slow_requests_do_not_hold_up_others(self):
        review = self.review()
        with socket.create_connection(("127.0.0.1", review.port), timeout=20) as slow:
            slow.sendall(("POST /%s/look HTTP/1.1\r\nHost: %s\r\nContent-Length: 3\r\n\r\n0" % (review.token, review.host)).encode())
            started = time.monotonic()
            self.still_works(review)
            self.assertLess(time.monotonic() - started, 2)
            slow.sendall(b",1")
            self.assertIn(b"vv----", slow.recv(65536))


if __name__ == "__main__":
    scene.main()
