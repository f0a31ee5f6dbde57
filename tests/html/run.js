/*
 * In place of run.js, which `check --watch` writes: what the page asks for again and again. The first answer scrolls and goes to a
 * case, the second says that there is another run, the third is asked by the page that loaded itself again.
 */
(function () {
    const asked = Number(sessionStorage.getItem('asked') || 0);
    sessionStorage.setItem('asked', asked + 1);
    if (asked === 0) {
        openCase(400);
        setTimeout(() => { /* after the list has gone to the case */
            $('cases').scrollTop = 4000;
            $('search').value = 'a';
            $('search').dispatchEvent(new Event('input'));
            rigproofRun('first');
            sessionStorage.setItem('before', JSON.stringify([location.hash, $('cases').scrollTop]));
        }, 100);
    } else if (asked === 1) {
        rigproofRun('first'); /* the same: nothing happens */
    } else if (asked === 2) {
        rigproofRun('second');
    } else if (asked === 3) {
        setTimeout(() => {
            const now = JSON.stringify([location.hash, $('cases').scrollTop]);
            const good = now === sessionStorage.getItem('before') && current === 400 && $('search').value === 'a';
            document.body.append(make('pre', {id: 'outcome'}, (good ? 'done 1' : 'FAIL ' + now + ' ' + sessionStorage.getItem('before'))));
        }, 100);
    }
})();
