/** Allows the `<style>` elements that components make; for Mantine, and for `EditorView.cspNonce` of CodeMirror. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Where the part of Mantine looks that keeps the page from scrolling behind a dialog.
Object.assign(globalThis, { __webpack_nonce__: nonce });
