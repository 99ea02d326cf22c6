/** The error catalogue of the documentation, as published with the package: a section for each code. */
const CATALOGUE = 'https://unpkg.com/vue-chain/docs/errors.md'

/** The section of an error code. Nothing is requested from there by this library. */
export const docsUrlOf = (code: string): string => `${CATALOGUE}#${code}`
