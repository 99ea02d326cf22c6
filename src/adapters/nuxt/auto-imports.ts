/**
 * Whether Nuxt imports an export of `vue-chain` by itself: composables, and the functions that templates use, which
 * convert amounts (`sompiToKaspa`) and check values (`isValidAddress`).
 */
export const isAutoImported = (name: string): boolean => /^(?:use[A-Z]|is[A-Z]|sompiTo|kaspaTo)/.test(name)
