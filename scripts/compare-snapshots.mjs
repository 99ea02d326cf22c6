/**
 * `node scripts/compare-snapshots.mjs BEFORE AFTER`: what has grown between two heap snapshots of a process, by
 * kind and by what retains it, the most bytes first. `npm run soak -- --snapshots FOLDER` writes two of the service.
 */
import { readFileSync } from 'node:fs'

/** Objects of a path, from one that has grown towards the root, and rows of each table. */
const [PATH_LENGTH, ROWS] = [6, 25]

const [before, after] = process.argv.slice(2).map((file) => bytesOf(JSON.parse(readFileSync(file, 'utf8'))))
if (before === undefined || after === undefined) {
  console.error('Name two heap snapshots.')
  process.exit(2)
}
for (const table of ['kinds', 'paths']) {
  const grown = [...after[table]].map(([name, bytes]) => [name, bytes - (before[table].get(name) ?? 0)])
  console.log(`\n| bytes | ${table} |\n| --- | --- |`)
  for (const [name, bytes] of grown.sort(([, one], [, other]) => other - one).slice(0, ROWS))
    console.log(`| ${bytes} | ${name.replaceAll('|', '/')} |`)
}

/** Bytes by kind and by path: the shortest one from the root, without weak references. */
function bytesOf({ snapshot: { meta }, nodes, edges, strings }) {
  const [nodeSize, edgeSize] = [meta.node_fields.length, meta.edge_fields.length]
  const field = (name) => meta.node_fields.indexOf(name)
  const [typeAt, nameAt, bytesAt, countAt] = ['type', 'name', 'self_size', 'edge_count'].map(field)
  const edgeField = (name) => meta.edge_fields.indexOf(name)
  const [edgeTypeAt, edgeNameAt, toAt] = ['type', 'name_or_index', 'to_node'].map(edgeField)
  const [nodeTypes] = meta.node_types
  const [edgeTypes] = meta.edge_types
  const isText = (type) => type.endsWith('string')
  const nameOf = (node) => {
    const type = nodeTypes[nodes[node + typeAt]]
    return isText(type) || type === 'array' ? `(${type})` : `${strings[nodes[node + nameAt]].slice(0, 40)}`
  }

  const firstEdge = new Map()
  for (let node = 0, edge = 0; node < nodes.length; node += nodeSize) {
    firstEdge.set(node, edge)
    edge += edgeSize * nodes[node + countAt]
  }
  /** Of each node: its retainer, and the name of the reference. */
  const retainers = new Map([[0, undefined]])
  for (const node of retainers.keys()) {
    const start = firstEdge.get(node)
    for (let edge = start; edge < start + edgeSize * nodes[node + countAt]; edge += edgeSize) {
      const type = edgeTypes[edges[edge + edgeTypeAt]]
      const to = edges[edge + toAt]
      if (type === 'weak' || retainers.has(to)) continue
      const isIndex = type === 'element' || type === 'hidden'
      retainers.set(to, { node, name: isIndex ? '[]' : strings[edges[edge + edgeNameAt]].replace(/^\d+$/, '[]') })
    }
  }

  const [kinds, paths] = [new Map(), new Map()]
  const add = (table, name, bytes) => table.set(name, (table.get(name) ?? 0) + bytes)
  for (const [node, retainer] of retainers) {
    const path = [nameOf(node)]
    for (let next = retainer; next !== undefined && path.length < PATH_LENGTH; next = retainers.get(next.node))
      path.push(`${nameOf(next.node)}.${next.name}`)
    add(kinds, `${nodeTypes[nodes[node + typeAt]]} ${nameOf(node)}`, nodes[node + bytesAt])
    add(paths, path.join(' < '), nodes[node + bytesAt])
  }
  return { kinds, paths }
}
