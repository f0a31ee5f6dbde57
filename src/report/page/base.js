'use strict';
/* The results, and what all parts of the page need. */

const results = JSON.parse(document.getElementById('results').textContent);
/* An error at a time is without what another stage explains: what is shown is the difference from the golden, which findings have. */
for (const result of results.cases)
    for (const {stage, time, displacement} of result.findings)
        for (const t of result.times)
            if (t.time === time && displacement > (t.error[stage] || 0))
                t.error[stage] = displacement;
const pictureIndex = JSON.parse(document.getElementById('picture-index').textContent);
const sentence = (result) => pictureIndex.sentences[results.cases.indexOf(result)]; /* as every report says it */

const STAGES = ['import', 'animate', 'palette', 'skin', 'draw'];
const STATUSES = ['fail', 'missing', 'error', 'crash', 'timeout', 'unexpected-pass', 'drift', 'xfail', 'skip', 'pass'];
const FAILING = new Set(['fail', 'missing', 'error', 'crash', 'timeout', 'unexpected-pass']);

/* ---- cases ---- */

const fails = (result) => FAILING.has(result.status) || (result.status === 'drift' && results.strict);

/* The colour of a status: bad, warn, odd, quiet or good. */
function statusTone(status) {
    if (status === 'unexpected-pass')
        return 'odd';
    if (FAILING.has(status) || (status === 'drift' && results.strict))
        return 'bad';
    return {drift: 'warn', xfail: 'warn', skip: 'quiet'}[status] || 'good';
}

/* Returns whether its golden can be made from this run. */
const isAcceptable = (result) => result.accept !== null;

/* ---- elements ---- */

function $(id) {
    return document.getElementById(id);
}

/* The few that are made all the time. */
const span = (style, ...children) => make('span', {class: style}, ...children);

/* Buttons of which one is pressed: [value, label] each; `kind` names the value on each. */
function choiceGroup(title, kind, choices, now, choose) {
    return make('div', {class: 'group', role: 'group', 'aria-label': title}, ...choices.map(([value, label]) =>
        button(label, () => choose(value), {['data-' + kind]: String(value), 'aria-pressed': String(value === now)})));
}

const note = (text, style) => make('p', {class: 'note ' + (style || '')}, text);

/* [[element, number]] with bars as long as the numbers. */
function barList(rows, style) {
    const most = Math.max(...rows.map(([, number]) => number), 1);
    return make('ol', {class: style}, ...rows.map(([element, number]) =>
        make('li', {}, element, shareBar(number / most), span('number', thousands(number)))));
}

const cell = (content, style) => make('td', {class: style}, content);
const rowHead = (content) => make('th', {scope: 'row'}, content);

function tableHead(titles, style) {
    return make('thead', {}, make('tr', {}, ...titles.map((title, i) =>
        make('th', {scope: 'col', class: i > 0 && style}, title))));
}

/* A sentence with `names` in it, these as code, without what the bones of the case begin with. */
function prose(text, without = prefix) {
    const parts = text.split('`');
    if (parts.length % 2 === 0) /* a name with such a mark in it */
        return [text];
    return parts.map((part, i) => i % 2 === 1 ? make('code', {title: part}, withoutPrefix(part, without)) : part);
}

/* Finds what the names of a case's bones begin with. */
function prefixOf({bones, times, curve}) {
    const all = [...bones, ...times.flatMap(({image}) => image.bones || []), ...(curve ? [curve] : [])];
    return commonPrefix(all.map(({bone}) => bone));
}

/* Says a case's sentence without what its bones' names begin with. */
const saidOf = (result) => prose(sentence(result), prefixOf(result));

/* ---- numbers ---- */

const thousands = (number) => number.toLocaleString('en');
const percent = (fraction) => isNumber(fraction) ? figure(100 * fraction) + '\u00a0%' : '\u2013';
const degrees = (value) => isNumber(value) ? figure(value) + '\u00b0' : '\u2013';
const seconds = (value) => isNumber(value) ? value.toFixed(3) + '\u00a0s' : '\u2013';

/* The time of a case; that of a picture of no case is a file's name. */
const timeName = ({label}) => /^[-0-9.]+$/.test(label) ? label + ' s' : label;
const count = (number, one, many) => number + '\u00a0' + (number === 1 ? one : many || one + 's');

/* ---- clipboard ---- */

/* A word for a POSIX shell, as escape_shell() has it. */
const shellWord = (word) => /^[A-Za-z0-9_\-+=.\/:,@%]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";

function copyBySelection(text) {
    const area = make('textarea', {class: 'unseen', readonly: true});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
}

async function copyText(text, source) {
    let done = false;
    try {
        await navigator.clipboard.writeText(text);
        done = true;
    } catch (refused) { /* a page that was opened as a file, or without permission */
        done = copyBySelection(text);
    }
    source.textContent = done ? 'Copied' : 'Select and copy';
    setTimeout(() => { source.textContent = 'Copy'; }, 1500);
}

/* A command with a button that copies it. */
function commandLine(command) {
    const copy = make('button', {type: 'button', class: 'copy', 'aria-label': 'Copy the command: ' + command}, 'Copy');
    copy.addEventListener('click', () => copyText(command, copy));
    return make('div', {class: 'command'}, make('code', {}, command), copy);
}

/* ---- theme ---- */

const THEMES = ['auto', 'light', 'dark'];

function remember(key, value) {
    try {
        localStorage.setItem('rigproof-' + key, value);
    } catch (refused) { /* private windows have no storage */ }
}

function recall(key) {
    try {
        return localStorage.getItem('rigproof-' + key);
    } catch (refused) {
        return null;
    }
}

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    $('theme').textContent = 'Theme: ' + theme;
    remember('theme', theme);
}

function nextTheme() {
    const now = THEMES.indexOf(document.documentElement.dataset.theme);
    setTheme(THEMES[(now + 1) % THEMES.length]);
}
