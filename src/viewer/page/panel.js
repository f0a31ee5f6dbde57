/* Beside the picture: the tree of bones, the numbers of the selected one, and what was picked. */

const bytesColor = (colors, node) => `rgb(${colors[3 * node]} ${colors[3 * node + 1]} ${colors[3 * node + 2]})`;

/* A tree of nodes, by arrow keys too; `choose` is told which. */
function createTree(model, choose) {
    const {nodes} = model, rows = [], list = make('ul', {class: 'mv-tree', role: 'tree', 'aria-label': 'Bones'});
    const depthOf = (n) => nodes.parents[n] < 0 ? 0 : depthOf(nodes.parents[n]) + 1;
    const order = [], pending = nodes.roots.slice().reverse();
    while (pending.length > 0) {
        const n = pending.pop();
        order.push(n);
        pending.push(...nodes.children[n].slice().reverse());
    }
    const closed = new Set(), tree = {list, search: ''};
    const isVisible = (n) => {
        for (let p = nodes.parents[n]; p >= 0; p = nodes.parents[p])
            if (closed.has(p))
                return false;
        return true;
    };
    tree.update = () => {
        const wanted = tree.search.trim().toLowerCase();
        let count = 0;
        order.forEach((n) => {
            const hit = wanted === '' ? isVisible(n) : nodes.names[n].toLowerCase().includes(wanted);
            rows[n].hidden = !hit;
            count += hit;
            if (nodes.children[n].length > 0)
                rows[n].setAttribute('aria-expanded', String(!closed.has(n)));
        });
        return count;
    };
    const toggle = (n, open) => {
        if (nodes.children[n].length === 0)
            return;
        closed[open ? 'delete' : 'add'](n);
        tree.update();
    };
    order.forEach((n) => {
        const depth = depthOf(n), twist = nodes.children[n].length > 0 ? make('span', {class: 'mv-twist', 'aria-hidden': 'true'}) : null;
        const swatch = make('span', {class: 'mv-swatch' + (nodes.isBone[n] ? '' : ' mv-hollow'), 'aria-hidden': 'true'});
        swatch.style.setProperty('--color', bytesColor(nodes.colors, n));
        rows[n] = make('li', {role: 'treeitem', tabindex: -1, 'aria-level': depth + 1, 'aria-selected': 'false',
                              class: nodes.isJoint[n] ? null : 'mv-quiet'}, twist, swatch,
                       nameElement(nodes.names[n], model.prefix));
        rows[n].style.setProperty('--depth', Math.min(depth, 40));
        rows[n].addEventListener('click', (event) => {
            if (event.target === twist)
                toggle(n, closed.has(n));
            else
                choose(n);
        });
        list.append(rows[n]);
    });
    list.addEventListener('keydown', (event) => {
        const shown = order.filter((n) => !rows[n].hidden), at = shown.findIndex((n) => rows[n] === document.activeElement);
        const go = (i) => {
            if (shown[i] !== undefined)
                rows[shown[i]].focus();
        };
        const actions = {
            ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), Home: () => go(0), End: () => go(shown.length - 1),
            ArrowRight: () => closed.has(shown[at]) ? toggle(shown[at], true) : go(at + 1),
            ArrowLeft: () => nodes.children[shown[at]].length > 0 && !closed.has(shown[at]) ? toggle(shown[at], false)
                : go(shown.indexOf(nodes.parents[shown[at]])),
            Enter: () => choose(shown[at]), ' ': () => choose(shown[at]),
        };
        if (at >= 0 && actions[event.key]) {
            actions[event.key]();
            event.preventDefault();
            event.stopPropagation();
        }
    });
    tree.select = (chosen) => {
        rows.forEach((row, n) => {
            row.setAttribute('aria-selected', String(n === chosen));
            row.tabIndex = n === (chosen === null ? order[0] : chosen) ? 0 : -1;
        });
        if (chosen === null)
            return;
        for (let p = nodes.parents[chosen]; p >= 0; p = nodes.parents[p])
            closed.delete(p);
        tree.update();
        requestAnimationFrame(() => { /* when the panel has its layout; without moving the page */
            const top = rows[chosen].offsetTop - list.offsetTop;
            if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 24)
                list.scrollTop = top - list.clientHeight / 2;
        });
    };
    tree.select(null);
    tree.update();
    return tree;
}

/* A table of three rows; what differs from `other` is marked. */
function matrixTable(m, other) {
    const size = Math.max(...m.map(Math.abs));
    const rows = [0, 1, 2].map((r) => make('tr', {}, [0, 1, 2, 3].map((c) => {
        const value = m[4 * c + r], differs = other && !(Math.abs(value - other[4 * c + r]) <= 1e-5 * Math.max(1, Math.abs(value)));
        return make('td', {class: differs ? 'mv-differs' : null}, digits(value, size));
    })));
    return make('table', {class: 'mv-matrix'}, make('tbody', {}, rows));
}

function partsTable(m, other) {
    const parts = describeTransform(m), others = other ? describeTransform(other) : null;
    const row = (title, key, unit, near) => make('tr', {}, make('th', {scope: 'row'}, title), parts[key].map((value, i) =>
        make('td', {class: others && !(Math.abs(value - others[key][i]) <= near) ? 'mv-differs' : null}, digits(value, Math.max(...parts[key].map(Math.abs))) + unit)));
    return make('table', {class: 'mv-parts'}, make('tbody', {}, row('position', 'position', '', 1e-5),
                                                   row('turned', 'angles', '\u00b0', 1e-3), row('scale', 'scale', '', 1e-5)));
}

/* Says of each palette entry of the node its mesh and its place in the palette. */
function entriesOf(model, node) {
    return model.bindingNodes.map((bound, b) => ({bound, b})).filter(({bound}) => bound === node).map(({b}) => {
        const instance = model.instances.filter(({first_binding}) => first_binding <= b).pop();
        return {b, mesh: model.meshes[instance.mesh].label, isSkinned: Boolean(model.meshes[instance.mesh].skin)};
    });
}

/* `shown`: [{label, model, pose, node}] of each side; a node may be -1. */
function numbersOf(shown) {
    const out = [], own = shown.filter(({node}) => node >= 0), several = shown.length > 1;
    const slice = (numbers, i) => numbers.subarray(16 * i, 16 * i + 16);
    const section = (title, tables) => out.push(make('h4', {}, title), ...tables);
    const each = (build) => own.flatMap((side, i) => [several ? make('p', {class: 'mv-side'}, side.label) : null, build(side, own[0], i)].filter(Boolean));
    section('Local, to the parent', each((side, first, i) => partsTable(slice(side.pose.matrices, side.node),
        i > 0 ? slice(first.pose.matrices, first.node) : null)));
    section('Global, to the scene', each((side, first, i) => matrixTable(slice(side.pose.globals, side.node),
        i > 0 ? slice(first.pose.globals, first.node) : null)));
    const entries = own.length > 0 ? entriesOf(own[0].model, own[0].node) : [];
    entries.slice(0, 8).forEach(({b, mesh, isSkinned}) => section(`Palette entry ${b}: ${shownName(mesh)}${isSkinned ? '' : ' (rigid)'}`,
        each((side, first, i) => {
            const at = i === 0 ? b : (entriesOf(side.model, side.node).find((entry) => entry.mesh === mesh) || {}).b;
            return at === undefined ? make('p', {class: 'mv-note'}, 'no such entry')
                : matrixTable(slice(side.pose.palette, at), i > 0 ? slice(first.pose.palette, b) : null);
        })));
    if (entries.length > 8)
        out.push(make('p', {class: 'mv-note'}, `and ${entries.length - 8} more meshes`));
    if (entries.length === 0)
        out.push(make('p', {class: 'mv-note'}, 'No mesh is bound to it: it has no palette entry.'));
    return out;
}

/* Shows what describePick() found, with bones that select. */
function pickSummary(model, found, choose) {
    const bars = found.bones.slice(0, 12).map(({node, weight}) => make('li', {},
        button(nameElement(model.nodes.names[node], model.prefix), () => choose(node), {class: 'mv-link'}),
        shareBar(weight, bytesColor(model.nodes.colors, node)), make('span', {class: 'mv-number'}, weight.toFixed(3))));
    return [
        make('p', {}, make('b', {}, shownName(found.mesh)), ` \u00b7 ${shownName(found.material || 'material')}`),
        make('p', {class: 'mv-note'}, `vertex ${found.vertex}, triangle ${found.triangle}, at ${found.place.map((value) => digits(value)).join(', ')}`),
        make('ul', {class: 'mv-bones'}, bars),
        found.bones.length > 12 ? make('p', {class: 'mv-note'}, `and ${found.bones.length - 12} more`) : null,
    ];
}

/* The morph targets of a node: those of one name are of parts of one mesh, and follow one slider. */
function findMorphs(model) {
    const found = new Map();
    for (const {mesh, node, first_weight: first} of model.instances)
        model.meshes[mesh].targets.forEach((target, t) => {
            const name = target.name || 'target ' + t, key = JSON.stringify([node, t, name]);
            found.set(key, {name, node, indices: [...(found.get(key) || {indices: []}).indices, first + t]});
        });
    return [...found.values()];
}

/* A slider for each. What a person sets stays until the clip has it back. */
function createMorphs(viewer, model) {
    const found = findMorphs(model), isOnly = (name) => found.filter((other) => other.name === name).length === 1;
    const rows = found.map(({name, node, indices}) => {
        const slider = make('input', {type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': shownName(name),
            oninput: () => {
                indices.forEach((at) => model.morphed.set(at, Number(slider.value)));
                viewer.set({});
            }});
        const value = make('span', {class: 'mv-number'}), whole = name + ' of ' + model.nodes.names[node];
        return {indices, slider, value, row: make('label', {}, nameElement(isOnly(name) ? name : whole), slider, value)};
    });
    const give = button('As the clip has them', () => {
        model.morphed.clear();
        viewer.set({});
    }, {class: 'mv-small'});
    const element = make('div', {class: 'mv-morphs'}, make('h3', {}, 'Morph targets'), rows.map(({row}) => row), give);
    element.hidden = rows.length === 0;
    element.update = (weights) => {
        give.hidden = model.morphed.size === 0;
        rows.forEach(({indices, slider, value}) => {
            slider.value = weights[indices[0]];
            value.textContent = weights[indices[0]].toFixed(2);
        });
    };
    return element;
}

/* A bar that is dragged to make the panel at its right wider. */
function createSplitter(panel) {
    const bar = make('div', {
        class: 'mv-splitter', role: 'separator', title: 'Drag to resize',
        onpointerdown: (event) => bar.setPointerCapture(event.pointerId),
        onpointermove: (event) => event.buttons & 1 && panel.style.setProperty('--width',
            Math.max(160, panel.getBoundingClientRect().right - event.clientX) + 'px'),
    });
    return bar;
}
