/** A label beside a node; colors are 0xRRGGBB. */
export interface Tag {
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
