import { kaspaToSompi } from 'vue-chain/streams'

/** What the shop sells: a file. */
export const PRODUCT = {
  name: 'A file about Kaspa',
  /** Sompi. */
  price: kaspaToSompi('12.5'),
  fileName: 'kaspa.txt',
  content: 'Kaspa is a proof-of-work network whose blocks are a graph, ten of them each second.\n',
} as const
