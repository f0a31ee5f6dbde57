'use strict';
/*
 * Accepting and skipping, where a server hands the page out. The server decides what is allowed and says what is: the page
 * shows it. Cases that fail are known by their number in the review, `review.cases`.
 */

const BEAT_SECONDS = 5;
const review = {cases: [], numbers: new Map(), marks: '', undo: null, grace: 0, decided: 0, isOver: false,
                queue: Promise.resolve(), pending: new Set()};
const MARK_WORDS = {'-': 'not looked at', v: 'looked at', a: 'accepted', s: 'skipped'};

/* ---- the server ---- */

async function tell(action, numbers) {
    const body = (numbers || []).join(',');
    const answer = await fetch(action, {method: 'POST', body, keepalive: action === 'leave', redirect: 'error'});
    if (!answer.ok)
        throw new Error((await answer.text()).trim());
    return answer.json();
}

/* The server says this now. */
function take(answer) {
    const before = review.marks;
    review.marks = answer.marks;
    review.undo = answer.undo;
    if (answer.words || answer.failed)
        showWords(answer.words, answer.said, answer.failed);
    for (let i = 0; i < review.cases.length; i++)
        if (before[i] !== review.marks[i])
            showMark(i);
    updateBar();
}

/* The server has ended: nothing can be done here any more. */
function lose(error) {
    if (review.isOver)
        return;
    review.isOver = true;
    const why = error instanceof TypeError ? '' : ': ' + error.message;
    showWords(openNumbers().length > 0 ? 'This review has ended' + why + '. To go on, run rigproof review again.'
                                       : 'All are decided and the review has ended. This page can be closed.', '', null);
    updateBar();
}

/* Questions go one after the other, so that a look arrives before the accept that needs it, and no answer comes too late. Whether
 * the review still goes on then. */
function enqueue(ask) {
    review.queue = review.queue.then(async () => {
        if (!review.isOver)
            await ask().catch(lose);
        return !review.isOver;
    });
    return review.queue;
}

function act(action, numbers) {
    return enqueue(async () => {
        if (action === 'undo' || (numbers || []).length > 20)
            showWords('Writing \u2026', '', null);
        await tellLooks();
        take(await tell(action, numbers));
    });
}

/* ---- what was looked at ---- */

function noteLook(index) {
    if (review.numbers.has(index) && review.marks[review.numbers.get(index)] === '-')
        review.pending.add(review.numbers.get(index));
    enqueue(tellLooks);
}

const wasLookedAt = (number) => review.marks[number] !== '-' || review.pending.has(number);

async function tellLooks() {
    const numbers = [...review.pending];
    if (numbers.length > 0)
        take(await tell('look', numbers));
    numbers.forEach((number) => review.pending.delete(number));
}

const currentNumber = () => current === null ? undefined : review.numbers.get(current);

function onShown() {
    if (current === null)
        $('detail').querySelector('.head').after(groupSection());
    else if (review.numbers.has(current))
        $('detail').querySelectorAll('.head')[1].before(note('Golden is what is here, actual what becomes it. ' +
            'Words, numbers, FLIP, displacement and model are the run\u2019s own.', 'hint'));
    updateBar();
}

/* ---- decisions ---- */

const openNumbers = () => [...review.marks].flatMap((mark, i) => mark === '-' || mark === 'v' ? [i] : []);
const groupOf = (number) => review.cases.flatMap((item, i) => item.group === review.cases[number].group ? [i] : []);
const stillOpen = (numbers) => numbers.filter((i) => '-v'.includes(review.marks[i]));

/* To the next case that is not decided, in the order of the list; the overview when all are. */
function goOn() {
    const left = new Set(openNumbers().map((i) => review.cases[i].index));
    const stops = shown.filter((index) => left.has(index) || index === current);
    const at = stops.indexOf(current);
    const next = [...stops.slice(at + 1), ...stops.slice(0, Math.max(at, 0))].find((index) => left.has(index));
    if (next !== undefined)
        openCase(next);
    else if (left.size === 0)
        openOverview();
}

async function decide(action, numbers) {
    const own = currentNumber();
    if (numbers.length === 0 || !await act(action, numbers))
        return;
    if (own !== undefined && own === currentNumber() && !'-v'.includes(review.marks[own]))
        goOn();
    else if (current === null)
        openOverview();
}

/* A key that is held down would decide for case after case, before anybody saw them. */
const decideFor = (action, numbersOf) => (event) => {
    const number = currentNumber();
    if (number === undefined || event.repeat)
        return;
    if (action === 'accept' && !review.cases[number].refusal && !wasLookedAt(number))
        lookFirst(current);
    else
        decide(action, numbersOf(number));
};
const decideOne = (action) => decideFor(action, (number) => [number]);
const decideGroup = (action) => decideFor(action, (number) => stillOpen(groupOf(number)));

async function undo() {
    const before = review.marks;
    if (!review.undo || !await act('undo'))
        return;
    const changed = review.cases.findIndex((item, i) => before[i] !== review.marks[i]);
    if (changed >= 0 && current !== null)
        openCase(review.cases[changed].index);
    else if (current === null)
        openOverview();
}

function finish() {
    enqueue(async () => {
        take(await tell('finish'));
        review.isOver = true;
        showWords('Finished. This page can be closed.', '', null);
        updateBar();
    });
}

/* ---- the bar ---- */

function showWords(words, said, failed) {
    $('review-words').replaceChildren(...[
        failed && span('failed', failed), words && span('', words),
        said && make('details', {}, make('summary', {}, 'what was written'), make('pre', {}, said.trimEnd()))].filter(Boolean));
}

function showMark(number) {
    const row = rows[review.cases[number].index], mark = review.marks[number];
    row.dataset.mark = mark;
    row.querySelector('.decision').textContent = {'-': '', v: '\u2022', a: '\u2713', s: '\u2013'}[mark];
    row.querySelector('.decision').title = MARK_WORDS[mark];
}

function counters() {
    const count = (letters) => [...review.marks].filter((mark) => letters.includes(mark)).length;
    return [['left', count('-v')], ['accepted', count('a')], ['skipped', count('s')]];
}

function updateBar() {
    const number = currentNumber(), isOpen = number !== undefined && '-v'.includes(review.marks[number]);
    const item = number === undefined ? null : review.cases[number];
    const group = item ? stillOpen(groupOf(number)) : [];
    const off = (condition) => review.isOver || condition;
    $('review-accept').disabled = off(!item || item.refusal || review.marks[number] === 'a');
    $('review-skip').disabled = off(!isOpen);
    $('review-undo').disabled = off(!review.undo);
    $('review-undo').title = review.undo ? 'Undo: ' + review.undo + ' (u)' : 'Nothing to undo';
    $('review-finish').disabled = off(false);
    $('review-group').hidden = off(group.length < 2);
    $('review-group-words').textContent = group.length + ' say the same:';
    $('review-state').textContent = item ? MARK_WORDS[review.marks[number]] : '';
    $('review-state').className = 'state-' + (item ? review.marks[number] : 'none');
    $('review-refusal').hidden = !item || !item.refusal;
    $('review-refusal').textContent = item && item.refusal ? 'Cannot be accepted: ' + item.refusal : '';
    for (const [name, value] of counters())
        $('review-' + name).textContent = String(value);
    $('review-done').style.width = 100 * (1 - openNumbers().length / review.cases.length) + '%';
    const done = openNumbers().length === 0 && !review.isOver, now = performance.now() / 1000;
    review.decided = done ? review.decided || now : 0;
    $('review-end').hidden = !done;
    $('review-end').textContent = 'All are decided. The review ends by itself in ' +
        count(Math.max(1, Math.ceil(review.grace - (now - review.decided))), 'second') + '; undo stops that.';
}

const keyed = (label, key) => [label + ' ', make('kbd', {}, key)];

function makeBar() {
    const counter = (name) => make('span', {class: 'counter'}, make('b', {id: 'review-' + name}, '0'), ' ' + name);
    $('statuses').after(make('div', {id: 'review', role: 'region', 'aria-label': 'Review'},
        make('div', {class: 'bar'},
            button(keyed('Accept', 'a'), decideOne('accept'), {id: 'review-accept', class: 'primary'}),
            button(keyed('Skip', 's'), decideOne('skip'), {id: 'review-skip'}),
            button(keyed('Undo', 'u'), undo, {id: 'review-undo'}),
            make('span', {id: 'review-state'}),
            make('span', {id: 'review-group', hidden: true},
                make('span', {id: 'review-group-words'}),
                button('Look at all', () => showSheet(groupOf(currentNumber())), {id: 'review-group-look'}),
                button(keyed('Accept', 'A'), decideGroup('accept'), {id: 'review-group-accept'}),
                button(keyed('Skip', 'S'), decideGroup('skip'), {id: 'review-group-skip'})),
            make('span', {id: 'review-tally', role: 'status'}, ...['left', 'accepted', 'skipped'].map(counter)),
            button('Finish', finish, {id: 'review-finish'})),
        make('div', {class: 'progress'}, make('i', {id: 'review-done'})),
        make('p', {id: 'review-refusal', hidden: true}),
        make('p', {id: 'review-end', hidden: true}),
        make('div', {id: 'review-words', role: 'status'})));
}

/* ---- groups ---- */

/* Cases of a group, or all, side by side: each counts as looked at once its pictures were on the screen. */
function showSheet(numbers) {
    clearDetail();
    current = null;
    markCurrent(null);
    const tiles = numbers.map((number) => {
        const result = results.cases[review.cases[number].index], t = result.times[firstTime(result)];
        const paths = t ? [['golden', t.image.golden], ['actual', t.image.actual],
            t.image.candidate ? ['new golden', t.image.candidate] : ['FLIP of the run', t.image.heat]] : [];
        const pictures = paths.filter(([, path]) => hasPicture(path)).map(([name, path]) =>
            make('figure', {}, make('img', {src: 'picture/' + pictureIndex.number[path], alt: name}), make('figcaption', {}, name)));
        const tile = make('li', {}, button(result.name, () => openCase(review.cases[number].index), {class: 'link'}),
                          make('p', {class: 'hint'}, saidOf(result)), make('div', {class: 'pictures'}, ...pictures));
        const evidence = pictures.length > 0 ? pictures.map((picture) => picture.querySelector('img')) : [tile];
        lookable.set(review.cases[number].index, () => evidence);
        return tile;
    });
    const buttons = (action) => () => decide(action, stillOpen(numbers));
    fillDetail(
        make('div', {class: 'head'}, make('h2', {}, count(numbers.length, 'case')), make('p', {class: 'title'},
             button('Accept those looked at', buttons('accept'), {class: 'primary', id: 'sheet-accept'}),
             button('Skip all', buttons('skip'), {id: 'sheet-skip'}), button('Overview', openOverview))),
        make('ol', {class: 'sheet'}, ...tiles));
    updateBar();
}

function groupSection() {
    const groups = new Map();
    review.cases.forEach((item, i) => groups.set(item.group, [...(groups.get(item.group) || []), i]));
    const line = (numbers, words) => {
        const left = stillOpen(numbers), seen = left.filter((i) => review.marks[i] === 'v').length;
        const state = numbers.length === 1 ? MARK_WORDS[review.marks[numbers[0]]]
            : left.length === 0 ? 'decided' : left.length + ' left, ' + (seen || 'none') + ' of them looked at';
        return make('li', {}, make('b', {class: 'number'}, String(numbers.length)),
            make('span', {class: numbers === all ? 'words' : 'words said'}, words, make('span', {class: 'hint'}, state)),
            button('Look', () => numbers.length === 1 ? openCase(review.cases[numbers[0]].index) : showSheet(numbers)),
            button('Accept', () => decide('accept', left), {disabled: seen === 0 || review.isOver}),
            button('Skip', () => decide('skip', left), {disabled: left.length === 0 || review.isOver}));
    };
    const all = review.cases.map((item, i) => i);
    const words = (numbers) => {
        const result = results.cases[review.cases[numbers[0]].index], said = sentence(result) ? saidOf(result) : [result.status];
        return [numbers.length === 1 && result.name + ': ', ...said];
    };
    return make('section', {id: 'groups'}, make('h3', {}, 'To review'), make('ol', {},
        ...(groups.size > 1 ? [line(all, ['All cases'])] : []),
        ...[...groups.values()].map((numbers) => line(numbers, words(numbers)))));
}

/* ---- start ---- */

const REVIEW_KEYS = [
    [['a'], 'accept this case', decideOne('accept')],
    [['s'], 'skip this case', decideOne('skip')],
    [['u'], 'undo', undo],
    [['A'], 'accept all that say the same and were looked at', decideGroup('accept')],
    [['S'], 'skip all that say the same', decideGroup('skip')],
];

function startKeys() {
    KEYS.splice(KEYS.findIndex(([keys]) => keys.includes('a')), 1);
    KEYS.unshift(...REVIEW_KEYS);
    $('help').replaceChildren();
    makeHelp();
}

async function startReview() {
    const {cases, grace} = await (await fetch('cases')).json();
    Object.assign(review, {cases, grace, marks: ' '.repeat(cases.length)});
    cases.forEach((item, i) => {
        review.numbers.set(item.index, i);
        rows[item.index].append(span('decision'));
    });
    document.body.classList.add('reviewing');
    makeBar();
    startKeys();
    take(await tell('beat'));
    showWords(span('hint', 'Only what was looked at can be accepted. What is accepted is written at once; undo gives back what was there.'), '', null);
    document.addEventListener('shown', onShown);
    document.addEventListener('looked', (event) => noteLook(event.detail));
    looked.forEach(noteLook);
    window.addEventListener('pagehide', () => { if (!review.isOver) tell('leave').catch(() => {}); });
    setInterval(() => enqueue(async () => take(await tell('beat'))), 1000 * BEAT_SECONDS);
    openAddress();
}

startReview().catch((error) => { document.title = 'rigproof review: ' + error.message; });
