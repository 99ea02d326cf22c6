/** What follows the name of a metric (a suffix, labels), and the value. */
export type Sample = readonly [labels: string, value: number | bigint]

/** The lines of a metric in the text format of Prometheus (version 0.0.4), without the last line feed. */
export const toFamily = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ].join('\n')

/** A sample for each value of a label, which needs no escaping. */
export const labelled = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([name, value]) => [`{${label}="${name}"}`, value])

/** A sample of 1 or 0 for each value that a label may have. */
export const flags = <T extends string>(label: string, values: readonly T[], isSet: (value: T) => boolean) =>
  labelled(label, Object.fromEntries(values.map((value) => [value, Number(isSet(value))])))
