/** A figure of the network, with its name. */
export interface Figure {
  readonly name: string
  readonly value: string
}

const NAMES = ['DAA score', 'Chain blocks', 'In the mempool', 'Your UTXOs', 'Balance'] as const

/** The figures with values in the order of their names; without a value where the network does not run yet. */
export const toFigures = (values: readonly string[] = []): readonly Figure[] =>
  NAMES.map((name, index) => ({ name, value: values[index] ?? '–' }))
