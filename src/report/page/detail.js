'use strict';
/* One case: what is wrong, at which stage, since when, by which bones, and what to do about it. */

let current = null;  /* index of the open case; null: the overview */
let time = 0;        /* index of the shown time */
let marks = [];      /* functions that show the time in charts and pictures */
let prefix = '';     /* of the names of its bones, which are shown without it */

function section(title, ...children) {
    const content = children.flat().filter(Boolean);
    return content.length > 0 && make('section', {}, make('h3', {}, title), ...content);
}

/* ---- head: what is wrong; what is compared comes next, and what else is known of the case below it ---- */

function detailHead(result) {
    return make('div', {class: 'head'},
        make('div', {class: 'title'}, badge(result.status), make('h2', {}, result.name), span('spring'),
             button(['\u2039', span('word', ' Previous')], () => step(-1), {title: 'Previous failing case (k or p)', id: 'previous'}),
             button([span('word', 'Next '), '\u203a'], () => step(1), {title: 'Next failing case (j or n)', id: 'next'})),
        sentence(result) && make('p', {class: 'headline', title: sentence(result)}, prose(sentence(result))));
}

function detailNotes(result) {
    const meta = [result.model, result.clip !== null && 'clip ' + result.clip, result.subject && 'subject ' + result.subject,
                  result.radius > 0 && 'radius ' + figure(result.radius), prefix && 'names without their ' + prefix,
                  result.line > 0 && 'line ' + result.line + ' of the suite'];
    return make('div', {class: 'head'},
        result.vacuous && note('As it is, this case tests nothing: it would pass whatever the pipeline did.'),
        !result.vacuous && result.vacuity && note('With this difference it tests nothing: ' + result.vacuity),
        result.passes_from && make('details', {id: 'passes'}, make('summary', {}, 'Tolerance'),
                                   make('p', {class: 'meta'}, prose(result.passes_from))),
        make('p', {class: 'meta'}, ...meta.filter(Boolean).map((text) => span('', text)),
             ...result.tags.map((tag) => span('tag', tag))));
}

/* ---- stages ---- */

const STATE_WORDS = {'passed': 'agrees', 'not-compared': 'not compared'};

/* Not every case that fails at a stage was compared there. */
function stateWord(result, name) {
    const {state, by} = result.stages[name];
    if (state === 'differs' && name !== result.stage)
        return 'differs on its own';
    if (state === 'differs')
        return result.vacuous ? 'tests nothing' : result.status === 'error' ? 'failed' : 'differs first';
    if (state === 'unverified')
        return 'differs; not known whether that follows';
    return STATE_WORDS[state] || (result.stage === 'none' ? 'differs' : 'explained by ' + (by || result.stage));
}

function stageStrip(result) {
    return make('ol', {class: 'stages', 'aria-label': 'Stages'}, ...STAGES.map((name) => {
        const {state, summary} = result.stages[name];
        const word = stateWord(result, name);
        return make('li', {class: state, 'data-stage': name},
                    make('b', {}, name), span('state', word),
                    summary && make('span', {class: 'summary', title: summary}, prose(summary)));
    }));
}

const wasCompared = (result) => STAGES.some((name) => result.stages[name].state !== 'not-compared');

/* ---- causes ---- */

/* The causes explain all of it: one mistake, or several together. */
function causes(result) {
    if (!result.causes)
        return null;
    return make('dl', {class: 'commands', id: 'causes'}, ...result.causes.flatMap(({residual, causes: list}, i) => [
        ...list.flatMap(({id, stage, sentence, detail, remedy}, k) => [
            make('dt', {}, k > 0 ? 'and' : i > 0 ? 'or' : 'Cause'),
            make('dd', {}, result.causes_of_golden && k === 0 && 'The golden is this run but for ', make('b', {}, id), ' (' + stage + '): ' + sentence + (detail ? '; ' + detail : ''),
                 !result.causes_of_golden && make('p', {class: 'hint'}, remedy))]),
        make('dd', {class: 'hint'}, 'Explains all of it, to ' + figure(residual) + " of the model's radius.")]));
}

/* ---- commands ---- */

function commands(result, index) {
    if (!result.repeat && !result.accept)
        return null;
    const tick = make('p', {class: 'hint'}, 'To accept several at once, tick them in the list (', make('kbd', {}, 'a'),
                      ' ticks this one).');
    return make('dl', {class: 'commands'},
        ...(result.repeat ? [make('dt', {}, 'Repeat'), make('dd', {}, commandLine(result.repeat))] : []),
        ...(result.accept ? [make('dt', {class: 'to-accept'}, 'Accept'), make('dd', {class: 'to-accept'}, commandLine(result.accept), tick)] : []));
}

/* ---- times ---- */

const IMAGE_WORDS = {none: 'not drawn', same: 'equal', noise: 'noise', tolerated: 'tolerated', differs: 'differs',
                     missing: 'no golden', shown: 'not compared'};

/* The worst picture first; else where the numbers are worst. */
function firstTime(result) {
    const weight = (t) => (t.image.state === 'differs' ? 1e9 : t.image.state === 'missing' ? 1e6 : 0) +
        (t.image.share || 0) * 1e6 + Math.max(...STAGES.slice(1).map((stage) => t.error[stage] || 0));
    let best = 0;
    result.times.forEach((t, i) => { best = weight(t) > weight(result.times[best]) ? i : best; });
    return best;
}

/* The error that is farthest beyond its limit, of those of a time. */
function worstError(result, t) {
    const excess = (stage) => t.error[stage] / (judgeError(result, stage, t).limit || 1e-5);
    const known = STAGES.slice(1).filter((stage) => isNumber(t.error[stage]));
    const worst = known.sort((a, b) => excess(b) - excess(a))[0];
    return worst ? {value: t.error[worst], isOver: judgeError(result, worst, t).isOver} : null;
}

/* Returns the words below a time on its button, and their tone. */
function timeState(result, t) {
    if (t.image.state === 'differs')
        return [percent(t.image.share), 'differs'];
    if (!['none', 'shown'].includes(t.image.state))
        return [IMAGE_WORDS[t.image.state], t.image.state];
    const worst = worstError(result, t);
    return worst ? [percent(worst.value), worst.isOver ? 'differs' : ''] : ['', ''];
}

function timeButton(result, t, index) {
    const [word, tone] = timeState(result, t), path = [t.image.actual, t.image.golden].find(hasPicture);
    const hasAny = result.times.some(({image}) => hasPicture(image.actual) || hasPicture(image.golden));
    const thumb = hasAny && span(path ? 'thumb' : 'blank');
    if (path)
        showThumbnail(thumb, path, t.image);
    return button([thumb, span('number', timeName(t)), span('state', word)],
                  () => showTime(index), {class: 'time ' + tone, 'data-time': index});
}

function timeStrip(result) {
    if (result.times.length === 0)
        return null;
    const strip = make('div', {class: 'times', role: 'group', 'aria-label': 'Times'},
                       ...result.times.map((t, i) => timeButton(result, t, i)));
    marks.push((index) => {
        for (const child of strip.children)
            child.setAttribute('aria-pressed', String(Number(child.dataset.time) === index));
        const {offsetLeft: left, offsetWidth: width} = strip.children[index];
        strip.scrollLeft = clamp(strip.scrollLeft, left + width - strip.clientWidth + 8, left - 8);
    });
    return strip;
}

/* ---- pictures ---- */

function imageFigures(result, image) {
    if (['missing', 'none', 'same', 'shown'].includes(image.state))
        return null;
    const limits = result.tolerance, [x, y, width, height] = image.box, differs = image.state === 'differs';
    const figures = [
        ['Changed', thousands(image.changed) + ' of ' + thousands(image.foreground) + ' pixels of the foreground'],
        ['Share', percent(image.share) + (limits ? ', allowed ' + percent(limits.pixel_share) : '')],
        ['Largest', count(image.max_delta, 'level') + (limits ? ', counted beyond ' + limits.pixel_delta : '')],
        ['Where', width > 0 ? width + ' \u00d7 ' + height + ' at ' + x + ', ' + y : '\u2013'],
        ['pixelmatch', differs ? count(image.pixelmatch, 'pixel') : '\u2013'],
        ['FLIP', differs ? 'p99.9 ' + figure(image.flip_p999) + ', max ' + figure(image.flip_max) : '\u2013'],
    ];
    return make('dl', {class: 'figures'},
                ...figures.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

function imageBones(image) {
    if (!image.bones || image.bones.length === 0)
        return null;
    return make('div', {}, make('h4', {}, 'Bones that move the changed pixels'), barList(image.bones.map(({bone, mesh, pixels}) =>
        [nameElement(bone, prefix, mesh ? ' of mesh ' + mesh : ''), pixels]), 'movers'));
}

function imageNote(image) {
    const missing = [image.golden, image.actual, image.heat].map(missingPicture).filter(Boolean);
    const words = {none: 'Nothing was drawn at this time.', same: 'The pictures are equal.',
                   noise: 'The pictures differ by noise: no channel by more than 2 levels.',
                   tolerated: 'The pictures differ within the tolerance.',
                   missing: 'There is no golden to compare with.',
                   shown: image.golden ? 'The pictures of the reference and of the subject are not compared.'
                                       : 'This picture has no golden: what is compared are vertices.'};
    const isQuiet = image.state === 'same' || image.state === 'none';
    const framed = 'The model\u2019s extent has moved. Golden and actual are in the golden\u2019s frame; the new golden has a frame of its own.';
    return [words[image.state] && note(words[image.state]), image.candidate && note(framed),
            ...(isQuiet ? [] : missing.map((why) => note(why, 'missing')))];
}

function pictureSection(result) {
    if (result.times.every((t) => t.image.state === 'none'))
        return null;
    const place = make('div', {id: 'pictures'}), below = make('div', {class: 'below'});
    const isReference = result.subject && Object.keys(result.golden).length === 0;
    pictureNames = isReference ? {golden: 'reference', actual: result.subject} : {};
    marks.push((index) => {
        const {image} = result.times[index];
        below.replaceChildren(...[...imageNote(image), imageFigures(result, image), imageBones(image)].filter(Boolean));
        showPictures(image, place);
    });
    return [place, below];
}

/* ---- errors at a time ---- */

function errorTable(result) {
    const body = make('tbody');
    marks.push((index) => {
        const stagesOfTime = STAGES.slice(1).filter((stage) => isNumber(result.times[index].error[stage]));
        body.replaceChildren(...stagesOfTime.map((stage) => {
            const value = result.times[index].error[stage], {limit, isOver} = judgeError(result, stage, result.times[index]);
            const {state, by} = result.stages[stage], excess = !isOver ? 'within' : state === 'explained' ? 'explained by ' + by
                : figure(value / limit) + ' times the limit';
            const cells = [percent(value), percent(limit), excess];
            return make('tr', {class: isOver && 'over'}, rowHead(stage), ...cells.map((text) => cell(text, 'number')));
        }));
    });
    return make('table', {class: 'errors'}, tableHead(['Stage', 'Error', 'Limit', ''], 'number'), body);
}

const hasErrors = (result) => result.times.some((t) => STAGES.some((stage) => isNumber(t.error[stage])));

function numberSections(result) {
    const plot = errorPlot(result, showTime), map = heatMap(result, showTime);
    for (const chart of [plot, map])
        if (chart)
            marks.push(chart.mark);
    return [
        curveSection(result),
        hasErrors(result) &&
            section('Error over time', make('div', {class: 'two'}, plot && plot.element, errorTable(result))),
        result.bones.length > 0 && section('Worst bones', boneTable(result)),
        map && section('Bones over time', map.element),
    ];
}

/* ---- findings, fingerprints ---- */

function isCulprit(result, finding) {
    return !finding.explained && STAGES.includes(finding.stage) && result.stages[finding.stage].state === 'differs';
}

function findingList(result) {
    if (result.findings.length === 0)
        return null;
    return [make('ul', {class: 'findings'}, ...result.findings.map((finding) =>
        make('li', {class: finding.benign ? 'benign' : ''},
             span('stage ' + (isCulprit(result, finding) ? 'culprit' : ''), finding.stage),
             span('', prose(finding.text), finding.benign ? make('i', {}, ' (no failure)') : null)))),
        result.findings_left_out > 0 && make('p', {class: 'hint'}, 'and ' + result.findings_left_out + ' more')];
}

function fingerprintTable({golden, actual}) {
    const names = [...new Set([...Object.keys(golden), ...Object.keys(actual)])];
    const valueOf = (fingerprint, name) => Object.hasOwn(fingerprint, name) ? fingerprint[name] : '\u2013';
    const rowOf = (name) => [valueOf(golden, name), valueOf(actual, name)];
    return make('table', {class: 'fingerprint'}, tableHead(['', 'Golden', 'This run']),
        make('tbody', {}, ...names.map((name) => {
            const [a, b] = rowOf(name);
            return make('tr', {class: a !== b && 'differing'}, rowHead(name), cell(a), cell(b));
        })));
}

function fingerprintSection(result) {
    const names = Object.keys(result.golden);
    if (names.length === 0)
        return null;
    const isEqual = names.length === Object.keys(result.actual).length &&
        names.every((name) => result.golden[name] === result.actual[name]);
    if (isEqual)
        return section('How the golden was recorded', note('With the same renderer, versions and repairs.'));
    return section('The golden was recorded with another setup', fingerprintTable(result));
}

/* ---- the whole ---- */

function showTime(index) {
    time = index;
    for (const mark of marks)
        mark(index);
    setHash();
}

/* Leaves what is open; the caller fills the place. */
function clearDetail() {
    $('said').hidden = true;
    closeViewer();
    closeModel();
    closePictures();
    marks = [];
    lookable = new Map();
}

function fillDetail(...content) {
    $('detail').replaceChildren(...content.filter(Boolean));
    $('detail').scrollTop = 0;
}

function showCase(index) {
    const result = results.cases[index];
    prefix = prefixOf(result);
    clearDetail();
    lookable.set(index, () => evidence(result));
    const strip = timeStrip(result);
    const pictures = pictureSection(result);
    fillDetail(
        detailHead(result),
        pictures && make('section', {class: 'compared', 'aria-label': 'Pictures'}, pictures[0], strip, pictures[1]),
        detailNotes(result),
        wasCompared(result) && stageStrip(result),
        causes(result), commands(result, index),
        strip && !pictures && section('Times', strip),
        modelSection(result),
        ...numberSections(result),
        section('Findings', findingList(result)),
        fingerprintSection(result));
}
