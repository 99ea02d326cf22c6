import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { EntryChanges, PartialChanges } from './entry-changes.js'
import { EntryView } from './entry-view.js'

/** The entries of an address before some changes of it, oldest first. `after`: its entries after them. */
export function viewBefore(after: EntryView, changes: readonly EntryChanges[]): EntryView {
  const whole = changes.findIndex((each) => !isPartial(each))
  const replaced = changes[whole]
  const [view, later] = replaced === undefined ? [after, changes] : [allBefore(replaced), changes.slice(0, whole)]
  return later.length === 0 ? view : undo(view, later.filter(isPartial))
}

/** Whether the lists of a change are records: a view contains all entries of the address. */
const isPartial = (changes: EntryChanges): changes is PartialChanges =>
  !(changes.removed instanceof EntryView) && !(changes.added instanceof EntryView)

const allBefore = ({ removed }: EntryChanges): EntryView =>
  removed instanceof EntryView ? removed : new EntryView(null, null, 0, removed)

/** Reduces the changes to one before it is undone: each would copy the view. */
function undo(view: EntryView, changes: readonly PartialChanges[]): EntryView {
  const outpoints = new Map<OutpointKey, Outpoint>()
  const restored = new Map<OutpointKey, UtxoEntry>()
  for (const { removed, added } of [...changes].reverse()) {
    for (const { outpoint } of added) {
      outpoints.set(toOutpointKey(outpoint), outpoint)
      restored.delete(toOutpointKey(outpoint))
    }
    for (const entry of removed) {
      outpoints.set(toOutpointKey(entry.outpoint), entry.outpoint)
      restored.set(toOutpointKey(entry.outpoint), entry)
    }
  }
  return view.change(outpoints.values(), [...restored.values()])
}
