/* Runs before the page's own scripts: writes down what must not happen, and counts pictures that are held open. */
window.seen = {errors: [], alerts: 0, violations: [], open: 0, mostOpen: 0};
window.addEventListener('error', (event) => seen.errors.push(String(event.message)));
window.addEventListener('unhandledrejection', (event) => seen.errors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective));
window.alert = () => { seen.alerts++; };
{
    const create = URL.createObjectURL, revoke = URL.revokeObjectURL;
    URL.createObjectURL = (blob) => {
        seen.mostOpen = Math.max(seen.mostOpen, ++seen.open);
        return create.call(URL, blob);
    };
    URL.revokeObjectURL = (url) => {
        seen.open--;
        revoke.call(URL, url);
    };
}
