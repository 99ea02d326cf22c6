/**
 * The longest message under Node, bytes: an address with more than a million UTXOs fits. As text it stays below V8's
 * longest string (2^29 - 24 characters), whose conversion would throw outside of any promise.
 */
export const NODE_MAX_FRAME_SIZE: number = 500 * 2 ** 20

/** The longest message in a browser, bytes: pages have less memory. */
export const BROWSER_MAX_FRAME_SIZE: number = 256 * 2 ** 20
