"""The page of a review in a headless Chromium, used as a person does: keys and clicks.
    page.py RIGPROOF FIXTURES"""
import hashlib
import json
import os
import shutil
import sys
import time
import unittest

import browser
import scene

MARKS = "[...document.querySelectorAll('#cases li')].map((row) => row.dataset.mark || '.').join('')"


class Page(scene.Scene):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = browser.Browser(browser.find(), os.path.join(cls.scratch, "profile"))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        super().tearDownClass()

    def open(self, *arguments):
        review = self.review(*arguments)
        self.browser.errors.clear()
        self.browser.open(review.url)
        self.browser.wait("document.querySelector('#review')", "the bar")
        self.browser.wait("review.marks.trim()", "the server's answer")
        return review

    def tearDown(self):
        errors = list(self.browser.errors)
        self.browser.open("about:blank")
        super().tearDown()
        self.assertEqual(errors, [])

    def title(self):
        return self.browser.text("#detail h2")

    def counts(self):
        return [int(self.browser.text("#review-" + name)) for name in ("left", "accepted", "skipped")]

    def wait_counts(self, *counts):
        self.browser.wait("['left', 'accepted', 'skipped'].map((name) => document.getElementById('review-' + name).textContent).join()"
                          " === '%d,%d,%d'" % counts, "%s left, accepted, skipped" % (counts,))

    def wait_look(self, name):
        self.browser.wait("[...document.querySelectorAll('#cases [data-mark=v] .name')].some((e) => e.textContent === %s)"
                          % json.dumps(name), "a look at " + name)

    def wait_title(self, name):
        self.browser.wait("document.querySelector('#detail h2').textContent === " + json.dumps(name), name)

    def test_accept_one_skip_one_undo_finish(self):
        review, page = self.open(), self.browser
        self.assertEqual(self.counts(), [6, 0, 0])
        page.click("#first")
        self.wait_title("bend")
        page.wait("document.querySelectorAll('#pictures .frame').length === 4", "golden and actual, the difference, and what becomes the golden")
        page.wait("document.querySelector('.times img').naturalWidth === 64", "a picture of the server's")
        self.wait_look("bend")
        page.click("#review-accept")
        self.wait_title("bend-late")
        self.wait_counts(5, 1, 0)
        self.assertEqual(self.changed(), ["bend", "imports"])
        self.assertIn("accepted 1 case", page.text("#review-words"))
        self.assertIn("0.250.png: ", page.text("#review-words pre"))
        page.click("#review-skip")
        self.wait_title("new-a")
        self.wait_counts(4, 1, 1)
        page.click("#review-undo")
        self.wait_title("bend-late")
        self.wait_counts(5, 1, 0)
        page.click("#review-undo")
        self.wait_title("bend")
        self.wait_counts(6, 0, 0)
        self.assertEqual(self.changed(), [])
        self.assertTrue(page.run("document.querySelector('#review-undo').disabled"))
        page.click("#review-finish")
        self.assertEqual(review.end(None)[0], 1)
        page.wait("document.querySelector('#review-words').textContent.startsWith('Finished')")

    def test_keys(self):
        self.open()
        page = self.browser
        page.press("j")
        self.wait_title("bend")
        self.wait_look("bend")
        page.press("a")
        self.wait_title("bend-late")
        page.press("s")
        self.wait_title("new-a")
        self.wait_counts(4, 1, 1)
        page.press("u")
        self.wait_title("bend-late")
        self.wait_counts(5, 1, 0)
        page.press("j")
        page.press("j")
        self.wait_title("new-b")
        page.press("k")
        self.wait_title("new-a")
        page.press("S")
        self.wait_counts(2, 1, 3)
        page.press("?")
        page.wait("document.querySelector('#help').open")
        self.assertIn("accept this case", page.text("#help"))
        self.assertNotIn("tick", page.text("#help"))
        self.assertEqual(self.changed(), ["bend", "imports"])

    def test_a_key_that_is_held_down_decides_once(self):
        self.open()
        page = self.browser
        page.press("j")
        self.wait_look("bend")
        page.run("for (let i = 0; i < 5; i++) document.body.dispatchEvent("
                 "new KeyboardEvent('keydown', {key: 'a', repeat: true, bubbles: true}))")
        page.press("a")
        self.wait_counts(5, 1, 0)

    def test_only_what_was_looked_at(self):
        """A group is accepted as far as it was on the screen."""
        self.open()
        page = self.browser
        self.assertEqual(page.run(MARKS)[:6], "------")
        self.assertTrue(page.run("[...document.querySelectorAll('#groups button')].filter((b) => b.textContent === 'Accept')"
                                 ".every((b) => b.disabled)"))
        for _ in range(3):
            page.press("j")
        self.wait_look("new-a")
        self.assertEqual(page.run(MARKS)[:6], "--v---")
        page.press("A")
        self.wait_counts(5, 1, 0)
        self.assertIn("2 not looked at yet, so not accepted", page.text("#review-words"))
        self.assertEqual(self.changed(), ["new-a"])

    def test_what_was_not_on_the_screen_is_not_accepted(self):
        """Keys that come before anybody can have seen the pictures, which are on the screen as soon as a case is opened."""
        for width, height in ((1280, 800), (390, 844), (700, 560)):
            review, page = self.open(), self.browser
            page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            page.press("j")
            page.press("s")
            self.wait_title("bend-late")
            page.press("a")
            page.press("a")
            self.wait_counts(5, 0, 1)
            self.assertIn("Look at it first", page.text("#said"))
            self.assertEqual(self.changed(), [])
            page.wait("document.querySelectorAll('#pictures .frame').length === 4")
            boxes = page.run("[...document.querySelectorAll('#pictures .frame')].map((e) => { const b = e.getBoundingClientRect();"
                             "return [b.left, b.top, b.right, b.bottom]; })")
            bar = page.run("getComputedStyle(document.querySelector('#review')).position === 'fixed'"
                           " ? document.querySelector('#review').getBoundingClientRect().top : innerHeight")
            for left, top, right, bottom in boxes:
                self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= bar + 1, (width, height, bar, boxes))
            self.wait_look("bend-late")
            page.press("a")
            self.wait_counts(4, 1, 1)
            self.assertEqual(self.changed(), ["bend-late", "imports"])
            page.press("u")
            self.wait_counts(5, 0, 1)
            page.ask("Emulation.clearDeviceMetricsOverride")
            review.end()

    def test_a_button_does_not_accept_what_is_below(self):
        """In a window of a few lines the pictures are looked at part by part."""
        self.open()
        page = self.browser
        page.ask("Emulation.setDeviceMetricsOverride", width=900, height=330, deviceScaleFactor=1, mobile=False)
        page.press("j")
        self.wait_title("bend")
        page.wait("document.querySelectorAll('#pictures .frame').length === 4")
        page.run("void (document.querySelector('#detail').scrollTop = 0)")
        time.sleep(1)
        page.run("document.querySelector('#review-accept').click()")
        time.sleep(0.3)
        self.assertEqual((self.counts(), page.run("review.marks")), ([6, 0, 0], "------"))
        for step in range(12):
            page.run("document.querySelector('#detail').scrollBy(0, %d)" % (40 if step else -1000))
            time.sleep(0.7)
        self.wait_look("bend")
        page.run("document.querySelector('#review-accept').click()")
        self.wait_counts(5, 1, 0)
        page.ask("Emulation.clearDeviceMetricsOverride")

    def test_a_group_is_looked_at_together(self):
        self.open()
        page = self.browser
        for _ in range(3):
            page.press("j")
        self.wait_title("new-a")
        page.click("#review-group-look")
        page.wait("document.querySelectorAll('.sheet img').length === 3")
        page.wait(MARKS + ".slice(2, 5) === 'vvv'", "three that were looked at")
        page.click("#sheet-accept")
        self.wait_counts(3, 3, 0)
        self.assertEqual(self.changed(), ["new-a", "new-b", "new-c"])
        page.press("u")
        self.wait_counts(6, 0, 0)
        self.assertEqual(self.changed(), [])

    def pictures(self, name):
        """Hashes of the pictures that a case shows, golden, actual and what becomes the golden where that is another, by what the
        server gives."""
        found = self.browser.run("(() => { const {image} = results.cases.find((c) => c.name === %s).times[0];"
                                 "return [image.golden, image.actual, image.candidate].map((path) => path && pictureIndex.number[path]); })()" % json.dumps(name))
        return [number if number is None else hashlib.sha256(self.reviews[-1].ask("picture/%d" % number)[2]).hexdigest() for number in found]

    def test_what_becomes_the_golden_is_shown(self):
        """Where the camera changed, the pictures that were compared are drawn by the golden's: that is not what is accepted."""
        with open(os.path.join(self.folder, "suite.yaml"), "a") as file:
            file.write("  - {name: turned, model: strip.gltf, clip: linear-rotation, times: [0.5]}\n")
        scene.rigproof("accept", "suite.yaml", "--filter", "turned", cwd=self.folder)
        with open(os.path.join(self.folder, "suite.yaml"), "r+") as file:
            text = file.read().replace("turned, ", "turned, camera: {yaw: 70}, ")
            file.seek(0)
            file.write(text)
        scene.rigproof("check", "suite.yaml", "--filter", "turned", "-o", "out/turned", cwd=self.folder)
        self.open("out/turned")
        run = scene.contents(os.path.join(self.folder, "out/turned"))
        self.assertEqual(self.pictures("turned"), [scene.contents(self.goldens)["turned/0.500.png"], run["turned/0.500.png"], None])

    def test_a_model_of_another_extent_is_shown_in_both_frames(self):
        run = scene.contents(os.path.join(self.folder, "out/check"))
        self.open()
        self.assertEqual(self.pictures("bend"), [scene.contents(self.goldens)["bend/0.250.png"], run["bend/0.250.actual.png"],
                                                 run["bend/0.250.png"]])
        page = self.browser
        page.press("j")
        self.wait_title("bend")
        page.wait("document.querySelectorAll('#pictures .pane[data-kind=candidate] .frame').length === 1", "what becomes the golden")
        page.wait("[...document.querySelectorAll('#detail .note')].some((e) => e.textContent.includes('frame of its own'))")
        self.wait_look("bend")

    def test_no_artifact_hides_what_becomes_the_golden(self):
        """A run that calls its candidate framed anew has it beside another picture, which alone would look well."""
        out = os.path.join(self.folder, "out/check")
        with open(os.path.join(out, "results.json")) as file:
            results = json.load(file)
        shutil.copy(os.path.join(self.goldens, "bend/0.250.png"), os.path.join(out, "bend/0.250.actual.png"))
        for t in results["cases"][0]["times"]:
            t["image"]["candidate"] = "elsewhere.png"
        with open(os.path.join(out, "results.json"), "w") as file:
            json.dump(results, file)
        self.open()
        golden = scene.contents(self.goldens)["bend/0.250.png"]
        self.assertEqual(self.pictures("bend"), [golden, golden, scene.contents(out)["bend/0.250.png"]])

    def test_an_artifact_has_no_say_in_what_is_shown(self):
        """results.json of a run that somebody else made names other pictures than what would be accepted, and says that all is well."""
        out = os.path.join(self.folder, "out/check")
        with open(os.path.join(out, "results.json")) as file:
            results = json.load(file)
        shutil.copy(os.path.join(out, "new-a/0.300.png"), os.path.join(out, "bend/nice.png"))
        for case in results["cases"][:2]:
            for t in case["times"]:
                t["image"].update(state="same", golden="bend/0.250.golden.png", actual="bend/nice.png", changed=0, share=0, box=[0, 0, 0, 0])
                t["image"].pop("candidate", None)
            case["headline"] = "nothing of note"
        with open(os.path.join(out, "results.json"), "w") as file:
            json.dump(results, file)
        self.open()
        goldens, run = scene.contents(self.goldens), scene.contents(out)
        self.assertEqual(self.pictures("bend"), [goldens["bend/0.250.png"], run["bend/0.250.png"], None])
        self.assertEqual(self.pictures("new-a"), [None, run["new-a/0.300.png"], None])
        page = self.browser
        shown = page.run("results.cases.find((c) => c.name === 'bend').times.map((t) => [t.image.state, t.image.changed > 0])")
        self.assertIn(["differs", True], shown)
        page.press("j")
        self.wait_title("bend")
        self.assertIn("run", page.run("getComputedStyle(document.querySelector('.headline'), '::before').content"))
        page.wait("[...document.querySelectorAll('#detail .note')].some((e) => e.textContent.includes('the run\u2019s own'))")
        self.wait_look("bend")

    def test_a_golden_that_is_not_the_one_here_is_refused(self):
        with open(os.path.join(self.folder, "out/check/bend/0.750.golden.png"), "ab") as file:
            file.write(b"x")
        self.open()
        page = self.browser
        page.press("j")
        self.wait_title("bend")
        self.assertIn("is not the one here", page.text("#review-refusal"))
        self.assertEqual(self.pictures("bend")[1], None)
        self.assertEqual(page.run("(() => { const {times, viewer} = results.cases.find((c) => c.name === 'bend');"
                                  "return [viewer, ...times.flatMap(({image}) => [image.actual, image.candidate, image.heat, image.displacement])]"
                                  ".filter(Boolean); })()"), [])
        page.press("a")
        self.wait_counts(6, 0, 0)

    def test_what_is_below_the_screen_was_not_looked_at(self):
        self.open()
        page = self.browser
        page.ask("Emulation.setDeviceMetricsOverride", width=900, height=600, deviceScaleFactor=1, mobile=False)
        page.run("void showSheet(review.cases.map((item, i) => i))")
        page.wait("review.marks.includes('v')")
        time.sleep(0.3)
        self.assertIn("-", page.run("review.marks"))
        page.run("document.querySelector('.sheet li:last-child').scrollIntoView()")
        page.wait("review.marks.endsWith('v')")
        page.ask("Emulation.clearDeviceMetricsOverride")

    def test_what_cannot_be_accepted_says_why(self):
        self.open()
        page = self.browser
        page.run("void (location.hash = '#broken')")
        self.wait_title("broken")
        self.assertIn("it did not run to its end", page.text("#review-refusal"))
        self.assertTrue(page.run("document.querySelector('#review-accept').disabled"))
        page.press("a")
        page.press("s")
        self.wait_counts(5, 0, 1)

    def test_a_failure_is_shown(self):
        self.open()
        page = self.browser
        page.press("j")
        self.wait_title("bend")
        self.wait_look("bend")
        with open(os.path.join(self.folder, "strip.gltf"), "a") as file:
            file.write("\n")
        page.press("a")
        page.wait("document.querySelector('#review-words .failed')")
        self.assertIn("strip.gltf", page.text("#review-words"))
        self.assertEqual(self.counts(), [6, 0, 0])

    def test_an_end_elsewhere_is_shown(self):
        review, page = self.open(), self.browser
        review.end()
        page.press("j")
        page.wait("document.querySelector('#review-words').textContent.includes('This review has ended')")
        self.assertTrue(page.run("document.querySelector('#review-accept').disabled"))
        self.browser.errors.clear() # of the connection

    def test_a_closed_page_ends_it_and_a_reload_does_not(self):
        review, page = self.open(), self.browser
        page.press("j")
        self.wait_look("bend")
        page.ask("Page.reload")
        page.wait("document.querySelector('#review') && review.marks.startsWith('v')", "the page anew")
        time.sleep(10.5)
        self.assertIsNone(review.process.poll())
        started = time.monotonic()
        page.open("about:blank")
        self.assertEqual(review.end(None)[0], 1)
        self.assertLess(time.monotonic() - started, 18)

    def test_a_page_elsewhere_cannot_ask(self):
        review, page = self.review(), self.browser
        with open(os.path.join(self.scratch, "evil.html"), "w") as file:
            file.write("<!doctype html><title>evil</title>")
        page.open("file://" + os.path.join(self.scratch, "evil.html"))
        page.wait("document.title === 'evil'")
        url = review.url + "accept"
        found = page.run("Promise.all([fetch(%r, {method: 'POST', body: '0', mode: 'no-cors'}).then((a) => a.type, String),"
                         " fetch(%r).then((a) => a.status, String),"
                         " new Promise((done) => { const i = new Image(); i.onload = () => done('seen'); i.onerror = () => done('unseen');"
                         " i.src = %r; })])" % (review.url + "look", review.url + "cases", review.url + "picture/0"))
        self.assertEqual(found[1:], ["TypeError: Failed to fetch", "unseen"])
        page.run("new Promise((done) => { const f = document.createElement('iframe'); f.src = %r; f.onload = done; document.body.append(f); })"
                 ".then(() => 0)" % review.url)
        self.assertEqual(review.act("accept", "0")["marks"], "------")
        self.browser.errors.clear()


if __name__ == "__main__":
    if not browser.find():
        print("page: no chromium here")
        sys.exit(77)
    scene.main()
