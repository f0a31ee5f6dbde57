'use strict';
/* The list of cases, its filters, and the command that accepts what is ticked. */

const filter = {statuses: new Set(), stage: '', tag: '', words: [], order: 'failing'};
const ticked = new Set(); /* indices of cases */
const rows = [];          /* the <li> of each case, in the order of results.cases */
let shown = [];           /* indices of the cases that are listed, as they stand */
let laidOut = null;       /* the order in which the rows stand */

/* ---- what is listed ---- */

/* All that a search looks at, once per case. */
const searchTexts = results.cases.map((result) => [
    result.name, result.model, result.clip, result.headline, result.reason, ...result.tags,
    ...result.findings.map((finding) => finding.subject), ...result.bones.map((bone) => bone.bone),
].join('\n').toLowerCase());

function isListed(index) {
    const result = results.cases[index];
    return (filter.statuses.size === 0 || filter.statuses.has(result.status)) &&
        (filter.stage === '' || result.stage === filter.stage || result.stages[filter.stage].state === 'differs') &&
        (filter.tag === '' || result.tags.includes(filter.tag)) &&
        filter.words.every((word) => searchTexts[index].includes(word));
}

const rank = (result) => fails(result) ? 0 : result.status === 'drift' ? 1 : 2;

function inOrder() {
    const order = results.cases.map((result, index) => index);
    if (filter.order === 'failing')
        order.sort((a, b) => rank(results.cases[a]) - rank(results.cases[b]) || a - b);
    return order;
}

function updateList() {
    const order = inOrder();
    shown = order.filter(isListed);
    const visible = new Set(shown);
    rows.forEach((row, index) => { row.hidden = !visible.has(index); });
    if (filter.order !== laidOut) {
        $('cases').append(...order.map((index) => rows[index]));
        laidOut = filter.order;
    }
    $('none').hidden = shown.length > 0;
    for (const chip of $('statuses').children)
        chip.setAttribute('aria-pressed', chip.dataset.status === '' ? filter.statuses.size === 0
                                                                     : filter.statuses.has(chip.dataset.status));
    updateAccept();
    if (current === null && refillGallery)
        refillGallery();
}

function resetFilters() {
    filter.statuses.clear();
    filter.words = [];
    filter.stage = filter.tag = '';
    for (const id of ['stage', 'tag', 'search'])
        $(id).value = '';
    updateList();
}

/* ---- rows ---- */

const badge = (status) => span('badge ' + statusTone(status), status.replace('-', ' '));

function makeRow(result, index) {
    const onchange = () => setTick(index, tick.checked);
    const tick = isAcceptable(result)
        ? make('input', {type: 'checkbox', 'aria-label': 'Accept ' + result.name, onchange}) : null;
    const open = button([
        badge(result.status),
        span('name', result.name),
        span('what', saidOf(result)),
    ], () => openCase(index), {class: 'case'});
    return make('li', {}, tick, open);
}

function markCurrent(index) {
    for (const old of $('cases').querySelectorAll('.current')) {
        old.classList.remove('current');
        old.querySelector('.case').removeAttribute('aria-current');
    }
    $('overview-open').toggleAttribute('aria-current', index === null);
    if (index === null)
        return;
    rows[index].classList.add('current');
    rows[index].querySelector('.case').setAttribute('aria-current', 'true');
    scrollToRow();
    requestAnimationFrame(scrollToRow); /* rows that were never seen have the height that the style sheet guesses */
}

/* In the list alone: in a narrow window the page is at what the case shows. */
function scrollToRow() {
    const list = $('cases').getBoundingClientRect(), row = current !== null && rows[current].getBoundingClientRect();
    $('cases').scrollTop += row ? Math.min(row.top - list.top, 0) + Math.max(row.bottom - list.bottom, 0) : 0;
}

/* ---- accepting ---- */

/* Not before it was looked at. */
function setTick(index, on) {
    if (on && !looked.has(index))
        lookFirst(index);
    else if (on)
        ticked.add(index);
    else
        ticked.delete(index);
    const tick = rows[index].querySelector('input');
    if (tick)
        tick.checked = ticked.has(index);
    updateAccept();
}

/* The first case's own command, which knows the run's overrides, with the names of all in place of its one. */
function acceptCommand() {
    const chosen = [...ticked].sort((a, b) => a - b).map((index) => results.cases[index]);
    const filters = chosen.map((result) => ' --filter ' + shellWord(result.name)).join('');
    const [own, its] = [chosen[0].accept, ' --filter ' + shellWord(chosen[0].name)];
    return own.includes(its) ? own.replace(its, () => filters)
                             : 'rigproof accept ' + shellWord(results.suite) + filters;
}

function updateAccept() {
    const open = shown.filter((index) => isAcceptable(results.cases[index]) && !ticked.has(index) && looked.has(index));
    const place = $('accept'), room = $('cases').clientHeight;
    place.hidden = !results.cases.some(isAcceptable);
    const set = (indices, on) => () => indices.forEach((index) => setTick(index, on));
    const all = open.length > 0 && button('Tick all ' + open.length + ' looked at', set(open, true), {id: 'tick-all'});
    const none = ticked.size > 0 && button('Clear', set([...ticked], false), {id: 'tick-none'});
    const words = ticked.size === 0 ? 'Look at cases and tick them to accept their results'
        : ticked.size === 1 ? 'Make 1 result the golden' : 'Make ' + ticked.size + ' results the goldens';
    place.replaceChildren(
        make('p', {}, words, span('spring'), all, none),
        ...(ticked.size > 0 ? [commandLine(acceptCommand())] : []));
    if ($('cases').clientHeight < room) /* the lines below the list have grown */
        scrollToRow();
}

/* ---- filters ---- */

function statusChip(status, label, number) {
    const content = [status && span('dot ' + statusTone(status)), label + ' ', make('b', {}, String(number))];
    return button(content, () => toggleStatus(status), {'data-status': status, class: 'chip'});
}

function toggleStatus(status) {
    if (status === '')
        filter.statuses.clear();
    else if (!filter.statuses.delete(status))
        filter.statuses.add(status);
    updateList();
}

function fillSelect(id, first, values) {
    $(id).append(make('option', {value: ''}, first), ...values.map((value) => make('option', {value}, value)));
}

function startFilters() {
    const tally = {};
    for (const result of results.cases)
        tally[result.status] = (tally[result.status] || 0) + 1;
    const chips = STATUSES.filter((status) => tally[status])
        .map((status) => statusChip(status, status.replace('-', ' '), tally[status]));
    $('statuses').append(statusChip('', 'all', results.cases.length), ...chips);
    fillSelect('stage', 'any', STAGES);
    const tags = [...new Set(results.cases.flatMap((result) => result.tags))].sort();
    fillSelect('tag', 'any', tags);
    $('tag-label').hidden = tags.length === 0;
    for (const id of ['stage', 'tag', 'order'])
        $(id).addEventListener('change', () => { filter[id] = $(id).value; updateList(); });
    $('search').addEventListener('input', () => {
        filter.words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
        updateList();
    });
    $('reset').addEventListener('click', resetFilters);
}

function startList() {
    $('cases').classList.toggle('ticks', results.cases.some(isAcceptable)); /* names in one line, ticked or not */
    results.cases.forEach((result, index) => rows.push(makeRow(result, index)));
    startFilters();
    updateList();
}
