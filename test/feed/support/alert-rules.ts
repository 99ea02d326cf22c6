import { parseYAML } from 'confbox/yaml'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A rule of a page. */
interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
}

/** One value of a metric. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The rules that a page of docs/ shows. */
export function documentedRules(name = 'feed.md'): readonly AlertRule[] {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs', name), 'utf8')
  const [, text = ''] = /^```yaml\n(groups:[\s\S]*?)^```/m.exec(page) ?? []
  const { groups } = parseYAML<{ readonly groups: readonly { readonly rules: readonly AlertRule[] }[] }>(text)
  return groups.flatMap(({ rules }) => rules)
}

/**
 * Evaluates alert rules over scraped texts, as Prometheus does: an alert rings once its expression has had a result for
 * its time.
 */
export class AlertRules {
  /** Since when, in ms, each alert is pending, by its name and labels. */
  #pending = new Map<string, number>()

  constructor(private readonly rules: readonly AlertRule[]) {}

  /** The alerts that ring, such as `FeedNotReady{cause="no-node"}`. An instance that does not respond has no text. */
  evaluate(scraped: readonly string[], now: number): readonly string[] {
    const samples = scraped.flatMap(parseSamples)
    const results = this.rules.flatMap((rule) =>
      evaluate(rule.expr, samples).map(({ labels }) => ({ rule, name: nameOf(rule.alert, labels) })),
    )
    this.#pending = new Map(results.map(({ name }) => [name, this.#pending.get(name) ?? now]))
    return results.flatMap(({ rule, name }) => (now - this.#pending.get(name)! >= toMs(rule.for ?? '0s') ? [name] : []))
  }
}

/** Text of Prometheus: version 0.0.4. */
const parseSamples = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: parseLabels(labels), value: Number(value) }]
  })

const parseLabels = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').flatMap((part) => {
      const [, label = '', value = ''] = /^(\w+)="([^"]*)"$/.exec(part) ?? []
      return label === '' ? [] : [[label, value]]
    }),
  )

/**
 * Of PromQL: a selector, `min(selector)`, or `(sum(selector) or vector(n))`, compared with a number. Throws for
 * anything else.
 */
function evaluate(expr: string, samples: readonly Sample[]): readonly Sample[] {
  const [, left = '', operator = '', right = ''] = /^(.+) (<|>|==) (\d+)$/.exec(expr.trim()) ?? []
  return operand(left, samples).filter(({ value }) => compare(value, operator, Number(right)))
}

function operand(text: string, samples: readonly Sample[]): readonly Sample[] {
  const [, least] = /^min\((.+)\)$/.exec(text) ?? []
  if (least !== undefined) {
    const values = select(least, samples).map(({ value }) => value)
    return values.length === 0 ? [] : [{ name: '', labels: {}, value: Math.min(...values) }]
  }
  const [, summed, fallback] = /^\(sum\((.+)\) or vector\((\d+)\)\)$/.exec(text) ?? []
  if (summed === undefined) return select(text, samples)
  const found = select(summed, samples)
  const value = found.length === 0 ? Number(fallback) : found.reduce((sum, sample) => sum + sample.value, 0)
  return [{ name: '', labels: {}, value }]
}

function select(text: string, samples: readonly Sample[]): readonly Sample[] {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? []
  if (name === undefined) throw new Error(`The test cannot evaluate "${text}"`)
  const wanted = Object.entries(parseLabels(labels))
  return samples.filter((one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value))
}

function compare(value: number, operator: string, other: number): boolean {
  switch (operator) {
    case '<':
      return value < other
    case '>':
      return value > other
    case '==':
      return value === other
    default:
      throw new Error(`The test cannot evaluate the operator "${operator}"`)
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 }

function toMs(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([sm])$/.exec(duration) ?? []
  return Number(count) * (UNITS[unit] ?? NaN)
}

const nameOf = (alert: string, labels: Readonly<Record<string, string>>): string => {
  const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return text.length === 0 ? alert : `${alert}{${text.join(',')}}`
}
