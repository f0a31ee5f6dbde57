'use strict';
/*
 * Only in the page of `check --watch`: run.js beside it says of which run the page is, and when it is of another one, the page
 * is loaded again, with the same case open (by its address) and what was scrolled and searched for as it was.
 */
(function () {
    const KEPT = 'rigproof-place';
    const scrolled = () => [document.documentElement, $('cases'), $('detail')];
    let shownRun = null;

    window.rigproofRun = (run) => {
        if (shownRun !== null && run !== shownRun) {
            try {
                sessionStorage.setItem(KEPT, JSON.stringify({search: $('search').value, tops: scrolled().map((e) => e.scrollTop)}));
            } catch (refused) { /* it begins at the top then */ }
            location.reload();
        }
        shownRun = run;
    };

    function ask() {
        const script = make('script', {src: 'run.js?' + Date.now(), nonce: 'rigproof'});
        script.onload = script.onerror = () => script.remove();
        document.body.append(script);
    }

    try {
        const kept = JSON.parse(sessionStorage.getItem(KEPT));
        sessionStorage.removeItem(KEPT);
        if (kept && kept.search) {
            $('search').value = kept.search;
            $('search').dispatchEvent(new Event('input'));
        }
        const restore = () => scrolled().forEach((element, i) => { element.scrollTop = kept ? kept.tops[i] : 0; });
        restore();
        requestAnimationFrame(restore); /* after the list has gone to the case that is open */
    } catch (refused) { /* private windows have no storage */ }
    ask();
    setInterval(ask, 1000);
})();
