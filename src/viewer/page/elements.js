'use strict';
/*
 * The report's page and the viewer's have this in common. Names come from models and may hold anything: they reach a
 * page through textContent and attributes only, never as markup.
 */

/*
 * make('p', {class: 'note', title: 'x', onclick: f}, 'text', element): strings become text nodes. Children and attributes
 * that are false, null or undefined are left out; an attribute that is true is the empty string.
 */
function fill(element, properties, ...children) {
    const isThere = (value) => value !== false && value !== null && value !== undefined;
    for (const [name, value] of Object.entries(properties || {}))
        if (typeof value === 'function')
            element.addEventListener(name.slice(2), value);
        else if (isThere(value))
            element.setAttribute(name, value === true ? '' : value);
    element.append(...children.flat().filter(isThere));
    return element;
}

const make = (tag, properties, ...children) => fill(document.createElement(tag), properties, ...children);

function makeSvg(tag, properties, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, ...children);
}

const button = (label, action, properties) => make('button', {type: 'button', onclick: action, ...properties}, label);

/* A bar of which a share is filled, with the accent's colour or another. */
function shareBar(share, color) {
    const bar = make('span', {class: 'track'});
    bar.style.setProperty('--share', clamp(share, 0, 1));
    bar.style.setProperty('--color', color || 'var(--accent)');
    return bar;
}

/* Rows of [[keys], words]. */
function keyList(rows) {
    return make('dl', {}, rows.flatMap(([keys, words]) =>
        [make('dt', {}, keys.map((key) => make('kbd', {}, key))), make('dd', {}, words)]));
}

const closeForm = () => make('form', {method: 'dialog'}, make('button', {}, 'Close'));
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const isNumber = (value) => typeof value === 'number' && isFinite(value);

/* Three digits: 0.0341, 12.5, 3410, 1.2e-6. */
function figure(value) {
    if (!isNumber(value))
        return '\u2013';
    if (value === 0)
        return '0';
    const size = Math.abs(value);
    if (size < 1e-3 || size >= 1e6)
        return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e');
    return String(Number(value.toPrecision(3)));
}

function decodeBase64(text) {
    const binary = atob(text.trim()), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++)
        bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/* ---- names ---- */

/* Hidden characters of a name as they are escaped in the program's own output. */
function shownName(name) {
    return name.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
        (letter) => '\\u' + letter.charCodeAt(0).toString(16).padStart(4, '0')) || '(no name)';
}

/* Finds what several names that have a colon or a bar begin with, up to there: "mixamorig:". It is said once and left out of each. */
function commonPrefix(names) {
    const spaced = [...new Set(names)].filter((name) => /[:|]/.test(name));
    let prefix = spaced.length > 1 ? spaced[0] : '';
    for (const name of spaced)
        while (!name.startsWith(prefix))
            prefix = prefix.slice(0, -1);
    return prefix.slice(0, Math.max(prefix.lastIndexOf(':'), prefix.lastIndexOf('|')) + 1);
}

function withoutPrefix(name, prefix) {
    return shownName(name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : name);
}

/* A name that is cut on its left where there is no room for all of it; the whole is its tooltip. */
function nameElement(name, prefix = '', more = '') {
    return make('span', {class: 'cut', title: shownName(name) + more}, make('bdi', {}, withoutPrefix(name, prefix)));
}
