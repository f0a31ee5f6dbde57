"""A review as its commands are typed: --terminal with answers from a pipe, what is written, how it ends.
    use.py RIGPROOF FIXTURES"""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import scene


class Use(scene.Scene):
    def terminal(self, keys, *arguments, **environment):
        return scene.rigproof("review", "--terminal", *arguments, cwd=self.folder, environment=environment,
                              input="".join(key + "\n" for key in keys))

    def test_terminal_accepts_and_skips(self):
        done = self.terminal("asaaas")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.changed(), ["bend", "imports", "new-a", "new-b", "new-c"])
        self.assertIn("1/6 FAIL     bend: vertices of mesh `strip-mesh`", done.stdout)
        self.assertIn("    difference  out/check/bend/0.", done.stdout)
        self.assertIn("[a,A,s,u,d,j,k,q,?] a\nnew-a: no golden -> 3 new files\n", done.stdout)
        self.assertIn("  cannot be accepted: it did not run to its end: import of broken.gltf", done.stdout)
        self.assertTrue(done.stdout.endswith("accepted 4 of 6 cases, 2 skipped\n"), done.stdout)
        check = scene.rigproof("check", "suite.yaml", "--filter", "!b*", cwd=self.folder)
        self.assertEqual(check.returncode, 0, check.stdout)

    def test_what_is_accepted_is_what_accept_writes(self):
        self.terminal("aaaaas")
        reviewed = scene.contents(self.goldens)
        shutil.rmtree(self.goldens)
        shutil.copytree(os.path.join(self.kept, "golden"), self.goldens)
        self.assertEqual(scene.rigproof("accept", "suite.yaml", "--filter", "!broken", cwd=self.folder).returncode, 0)
        self.assertEqual(scene.contents(self.goldens), reviewed)

    def test_all_that_say_the_same(self):
        """Accepted at once, and taken back at once; others stay open."""
        done = self.terminal(["A", "q"])
        self.assertEqual(self.changed(), ["bend", "bend-late", "imports"])
        self.assertTrue(done.stdout.endswith("accepted 2 of 6 cases, 4 left\n"), done.stdout)
        self.setUp()
        self.assertIn("accept 2 cases: undone", self.terminal(["A", "u", "q"]).stdout)
        self.assertEqual(self.changed(), [])

    def test_undo_gives_back_every_byte(self):
        done = self.terminal(["a", "a", "a", "u", "u", "u", "u", "q"])
        self.assertEqual(self.changed(), [])
        self.assertIn("accept bend: undone", done.stdout)
        self.assertIn("there is nothing to undo", done.stdout)
        self.assertTrue(done.stdout.endswith("accepted 0 of 6 cases, 6 left\n"), done.stdout)

    def test_undo_gives_back_times_that_the_case_has_no_more(self):
        path = os.path.join(self.folder, "suite.yaml")
        with open(path) as file:
            text = file.read().replace("[0.25, 0.75]", "[0.5]")
        with open(path, "w") as file:
            file.write(text)
        scene.rigproof("check", "suite.yaml", "--filter", "bend", cwd=self.folder)
        self.assertIn("  0.250.png: removed", self.terminal("aq").stdout)
        self.assertEqual(self.changed(), ["bend", "imports"])
        self.setUp()
        with open(path, "w") as file:
            file.write(text)
        scene.rigproof("check", "suite.yaml", "--filter", "bend", cwd=self.folder)
        self.assertIn("accept bend: undone", self.terminal("auq").stdout)
        self.assertEqual(self.changed(), [])

    def test_actions_are_taken_back(self):
        """The last first, all of one action together; what was skipped before it was accepted is skipped again."""
        review = self.review()
        groups = [case["group"] for case in json.loads(review.ask("cases")[2])["cases"]]
        self.assertEqual(groups, [0, 0, 2, 2, 2, 5])
        review.act("look", "0,1,2,3,4,5")
        review.act("skip", "4")
        answer = review.act("accept", "0,2,4,5")
        self.assertEqual((answer["marks"], answer["undo"]), ("avavav", "accept 3 cases"))
        self.assertEqual(answer["words"], "accepted 3 cases; 1 cannot be accepted")
        self.assertEqual(review.act("skip", "0")["marks"], "avavav")
        self.assertEqual(review.act("accept", "0")["undo"], "accept 3 cases")
        answer = review.act("undo")
        self.assertEqual((answer["marks"], answer["undo"], self.changed()), ("vvvvsv", "skip new-c", []))
        self.assertEqual(review.act("skip", "5")["marks"], "vvvvss")
        review.act("undo")
        self.assertEqual(review.act("undo")["marks"], "vvvvvv")
        self.assertEqual(review.act("undo")["words"], "there is nothing to undo")

    def test_a_failure_keeps_what_is_true(self):
        """What was written before is known and can be taken back; an undo that fails can be repeated."""
        with open(os.path.join(self.goldens, "new-b"), "w"):
            pass
        self.before = scene.contents(self.goldens)
        review = self.review()
        review.act("look", "2,3,4")
        answer = review.act("accept", "2,3,4")
        self.assertEqual((answer["marks"], answer["said"]), ("--avv-", "new-a: no golden -> 3 new files\n"))
        self.assertIn("new-b", answer["failed"])
        self.assertEqual(self.changed(), ["new-a"])
        record = os.path.join(self.goldens, "new-a", "recorded.json")
        os.rename(record, record + ".kept")
        os.makedirs(os.path.join(record, "in-its-place"))
        self.assertIn("recorded.json", review.act("undo")["failed"])
        shutil.rmtree(record)
        os.rename(record + ".kept", record)
        self.assertEqual(review.act("undo")["marks"], "--vvv-")
        self.assertEqual(self.changed(), [])

    def test_keys_are_single(self):
        done = self.terminal(["all", "accept", "", "x"])
        self.assertEqual(self.changed(), [])
        self.assertIn("a  accept", done.stdout)
        self.assertIn("  1 other says the same (A accepts all)\n", done.stdout)

    def test_a_run_with_cases_left_out_is_not_good(self):
        path = os.path.join(self.folder, "out/check/results.json")
        with open(path) as file:
            results = json.load(file)
        results["cases"] = results["cases"][:1]
        results["not_run"] = ["new-a"]
        with open(path, "w") as file:
            json.dump(results, file)
        done = self.terminal("a")
        self.assertEqual((done.returncode, done.stdout.count("accepted 1 of 1 case")), (1, 1), done.stdout)

    def test_accepted_before_is_accepted(self):
        """A second review begins where the first ended; without the broken case the end is good."""
        path = os.path.join(self.folder, "suite.yaml")
        with open(path) as file:
            lines = [line for line in file if "broken" not in line]
        with open(path, "w") as file:
            file.writelines(lines)
        scene.rigproof("check", "suite.yaml", cwd=self.folder)
        self.assertEqual(self.terminal("aa").returncode, 1)
        second = self.terminal("aaa")
        self.assertIn("3/5 MISSING  new-a", second.stdout)
        self.assertEqual(second.returncode, 0)
        third = self.terminal("")
        self.assertEqual((third.returncode, third.stdout), (0, "nothing to review\naccepted 5 of 5 cases\n"))

    def test_a_model_that_changed_cannot_be_accepted(self):
        with open(os.path.join(self.folder, "strip.gltf"), "a") as file:
            file.write("\n")
        done = self.terminal("aq")
        self.assertIn("cannot be accepted: ", done.stdout)
        self.assertIn("strip.gltf", done.stdout)
        self.assertEqual(self.changed(), [])

    def test_a_model_that_changes_meanwhile_cannot_be_accepted(self):
        review = self.review()
        review.act("look", "0,2")
        with open(os.path.join(self.folder, "strip.gltf"), "a") as file:
            file.write("\n")
        answer = review.act("accept", "0,2")
        self.assertIn("strip.gltf", answer["failed"])
        self.assertEqual(answer["marks"], "v-v---")
        self.assertEqual(self.changed(), [])

    def test_candidates_that_changed_cannot_be_accepted(self):
        with open(os.path.join(self.folder, "out/check/bend/0.250.png"), "ab") as file:
            file.write(b"x")
        self.assertIn("cannot be accepted: ", self.terminal("q").stdout)

    def test_not_where_ci_is_set(self):
        done = self.terminal("a", CI="true")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("CI=true", done.stderr)
        self.assertEqual(self.terminal("a", "--force", CI="true").returncode, 1)
        self.assertEqual(self.changed(), ["bend", "imports"])

    def test_an_archive_is_reviewed(self):
        shutil.make_archive(os.path.join(self.scratch, "artifact"), "zip", os.path.join(self.folder, "out/check"))
        shutil.rmtree(os.path.join(self.folder, "out"))
        done = self.terminal(["s", "s", "a", "q"], os.path.join(self.scratch, "artifact.zip"))
        self.assertEqual((done.returncode, self.changed()), (1, ["new-a"]), done.stderr)

    def test_an_unexpected_pass_is_not_accepted(self):
        path = os.path.join(self.folder, "suite.yaml")
        with open(path) as file:
            text = file.read().replace("times: [0.5]", "times: [0.5], expect: fail, reason: known")
        with open(path, "w") as file:
            file.write(text)
        scene.rigproof("check", "suite.yaml", "--filter", "still", cwd=self.folder)
        done = self.terminal("as")
        self.assertIn("cannot be accepted: it passes although the suite expects it to fail", done.stdout)
        self.assertEqual((done.returncode, self.changed()), (1, []))

    def test_shards_are_reviewed_together(self):
        for shard in "12":
            scene.rigproof("check", "suite.yaml", "--shard", shard + "/2", "-o", "out/shard-" + shard, cwd=self.folder)
        done = self.terminal("aaaaas", "out/shard-1", "out/shard-2")
        self.assertIn("accepted 5 of 6 cases, 1 skipped", done.stdout, done.stderr)
        self.assertEqual(self.changed(), ["bend", "bend-late", "imports", "new-a", "new-b", "new-c"])

    def test_no_run_yet(self):
        shutil.rmtree(os.path.join(self.folder, "out"))
        done = self.terminal("")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "error: there is no run in out/check here: `rigproof check SUITE.yaml` first, or name its "
                                      "output folder or ZIP\n")

    def test_what_is_no_run(self):
        for name in ("nowhere", "golden"):
            done = self.terminal("", name)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_stop_is_clean(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            review = self.review()
            review.act("look", "2")
            review.act("accept", "2")
            self.assertEqual(review.end(number), (1, "new-a: no golden -> 3 new files\naccepted 1 of 6 cases, 5 left\n", ""))
            shutil.rmtree(os.path.join(self.goldens, "new-a"))

    def test_nohup_outlives_its_terminal(self):
        review = self.review(hangup=signal.SIG_IGN)
        review.process.send_signal(signal.SIGHUP)
        review.act("beat")
        self.assertEqual(review.end()[0], 1)

    def test_ends_when_the_page_says_so(self):
        review = self.review()
        review.act("finish")
        self.assertEqual(review.end(None)[0], 1)

    def test_ends_when_nobody_comes(self):
        review = self.review("--timeout", "1")
        started = time.monotonic()
        self.assertEqual(review.end(None)[0], 1)
        self.assertLess(time.monotonic() - started, 5)

    def test_goes_on_while_somebody_is_there(self):
        review = self.review("--timeout", "1")
        for _ in range(4):
            time.sleep(0.5)
            review.act("beat")
        self.assertIsNone(review.process.poll())

    def test_the_port_is_chosen(self):
        first = self.review()
        second = subprocess.run([scene.RIGPROOF, "review", "--port", str(first.port)], cwd=self.folder, capture_output=True, text=True,
                                env={**os.environ, "CI": ""}, timeout=20)
        self.assertEqual(second.returncode, 2)
        self.assertIn("127.0.0.1:%d" % first.port, second.stderr)
        port = first.port
        first.end()
        self.assertEqual(self.review("--port", str(port)).port, port)

    def test_open_shows_the_address_to_nobody_else(self):
        """Arguments of programs can be read by everybody: the browser is given a file that only its owner can read."""
        tools = os.path.join(self.scratch, "tools")
        os.makedirs(tools, exist_ok=True)
        with open(os.path.join(tools, "xdg-open"), "w") as file:
            file.write('#!/bin/sh\nstat -c %a "$1" > "$OPENED.new"; cat "$1" >> "$OPENED.new"; echo "$1" >> "$OPENED.new"\n'
                       'mv "$OPENED.new" "$OPENED"\n')
        os.chmod(os.path.join(tools, "xdg-open"), 0o755)
        opened = os.path.join(self.scratch, "opened")
        before = {name: os.environ.get(name) for name in ("PATH", "OPENED")}
        os.environ.update(PATH=tools + ":" + os.environ["PATH"], OPENED=opened)
        try:
            review = self.review("--open")
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
        deadline = time.monotonic() + 10
        while not os.path.exists(opened) and time.monotonic() < deadline:
            time.sleep(0.02)
        with open(opened) as file:
            mode, page, path = file.read().strip().split("\n")
        self.assertEqual(mode, "600")
        self.assertIn(review.url, page)
        self.assertNotIn(review.token, path)
        review.end()
        self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    scene.main()
