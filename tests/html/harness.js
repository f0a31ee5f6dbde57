'use strict';
/* The tests of the page share this. A test is a function; what it says goes into an element for tests/html.sh. */

const outcome = document.createElement('pre');
outcome.id = 'outcome';

function say(line) {
    outcome.textContent += line.replaceAll('\n', ' ') + '\n';
}

function equal(found, wanted, what) {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
        throw new Error(what + ': found ' + JSON.stringify(found) + ', wanted ' + JSON.stringify(wanted));
}

function yes(condition, what) {
    if (!condition)
        throw new Error(what);
}

const one = (selector) => {
    const element = document.querySelector(selector);
    yes(element, 'there is no ' + selector);
    return element;
};
const all = (selector) => [...document.querySelectorAll(selector)];
const text = (selector) => one(selector).textContent;
const texts = (selector) => all(selector).map((element) => element.textContent);
const click = (selector) => one(selector).click();

function press(key, target) {
    (target || document.body).dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
}

/* A pointer at a place of an element, given as shares of its width and height. */
function point(event, selector, x, y) {
    const box = one(selector).getBoundingClientRect();
    const place = {clientX: box.left + box.width * x, clientY: box.top + box.height * y};
    one(selector).dispatchEvent(new PointerEvent(event, place));
}

function choose(selector, value) {
    one(selector).value = value;
    one(selector).dispatchEvent(new Event('change', {bubbles: true}));
}

function type(selector, value) {
    one(selector).value = value;
    one(selector).dispatchEvent(new Event('input', {bubbles: true}));
}

function pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

async function until(condition, what) {
    for (let i = 0; i < 1000; i++) { /* of virtual time, while pictures are decoded in that of the machine */
        if (condition())
            return;
        await pause(20);
    }
    throw new Error('waited in vain: ' + what);
}

/* Names of the cases that are listed, from top to bottom. */
function listed() {
    return all('#cases li').filter((row) => !row.hidden).map((row) => row.querySelector('.name').textContent);
}

async function run(tests) {
    document.body.append(outcome);
    for (const test of tests)
        try {
            await test();
            say('ok ' + test.name);
        } catch (error) {
            say('FAIL ' + test.name + ': ' + error.message);
        }
    say(JSON.stringify(seen.errors) === '[]' ? 'ok no errors' : 'FAIL errors: ' + seen.errors.join('; '));
    say(JSON.stringify(seen.violations) === '[]' ? 'ok no violations' : 'FAIL policy: ' + seen.violations.join('; '));
    say(seen.alerts === 0 ? 'ok no alert' : 'FAIL a name was run as a script');
    say('done ' + tests.length);
}
