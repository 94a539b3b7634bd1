/** Allows the `<style>` elements that components make; for Mantine, and for `EditorView.cspNonce` of CodeMirror. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
