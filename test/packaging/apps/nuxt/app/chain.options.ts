import type { VueChainOptions } from 'vue-chain'

/** Log messages of the library, for the test. */
const messages: string[] = []
const add = (message: string): unknown => messages.push(message)
if (import.meta.client) Object.assign(window, { messages })

export default {
  logger: { debug: add, info: add, warn: add, error: add },
} satisfies VueChainOptions
