import { numberToKaspa } from '../../../model/amount.js'
import type { ChainNetwork } from '../../../model/network.js'
import { take, type Observable } from 'rxjs'

/** A label beside a node; colors are 0xRRGGBB. */
interface Tag {
  readonly label: string
  readonly textColor: number
  readonly backgroundColor: number
}

/** A row of a node's details. Amounts are bigints, with a second row that names the unit. */
export interface Field {
  readonly key: string
  readonly value: unknown
}

/** A node of the inspector's tree. */
export interface InspectorNode {
  /** Unique in the tree. */
  readonly id: string
  readonly label: string
  readonly tags?: readonly Tag[]
  readonly children?: readonly InspectorNode[]
  /** The details by section. */
  readonly state: () => Readonly<Record<string, readonly Field[]>>
  /** Connects, fetches or clears what the node shows. */
  readonly refresh?: () => void
}

/** The node of an id, at any depth. */
export function findNode(nodes: readonly InspectorNode[], id: string): InspectorNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findNode(node.children ?? [], id)
    if (found !== undefined) return found
  }
  return undefined
}

/** The nodes whose label contains `text`, and the ancestors of such nodes. */
export function filterNodes(nodes: readonly InspectorNode[], text: string): readonly InspectorNode[] {
  return nodes.flatMap((node) => {
    if (node.label.toLowerCase().includes(text.toLowerCase())) return [node]
    const children = filterNodes(node.children ?? [], text)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** The fields of a record, in its order. */
export const fieldsOf = (record: Readonly<Record<string, unknown>>): Field[] =>
  Object.entries(record).map(([key, value]) => ({ key, value }))

/** An amount in sompi, and as text in the network's unit; one empty row where it is not known. */
export const amountFields = (key: string, sompi: bigint | null, network: ChainNetwork): Field[] =>
  sompi === null
    ? [{ key, value: null }]
    : [
        { key: `${key} (sompi)`, value: sompi },
        { key, value: numberToKaspa(sompi, network) },
      ]

/** Message, details and hint of an error, without its cause; null without an error. */
export const errorField = (error: Error | null): Field => ({
  key: 'error',
  value: error === null ? null : String(error),
})

/** A Unix time as text; null where there is none. */
export const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const TONES = {
  good: { textColor: 0xffffff, backgroundColor: 0x2e7d32 },
  busy: { textColor: 0x000000, backgroundColor: 0xffca28 },
  bad: { textColor: 0xffffff, backgroundColor: 0xc62828 },
  plain: { textColor: 0xffffff, backgroundColor: 0x607d8b },
} as const

export const tag = (label: string, tone: keyof typeof TONES = 'plain'): Tag => ({ label, ...TONES[tone] })

/** The value that a state stream replays at once; undefined after the engine's disposal. */
export function latestOf<T>(state$: Observable<T>): T | undefined {
  let latest: T | undefined
  state$.pipe(take(1)).subscribe((state) => (latest = state))
  return latest
}
