import { expect, it } from 'vitest'
import {
  keepChanges,
  createWatchedAddresses,
  type AddressChange,
} from '../../../src/streams/transfers/watched-addresses.js'

const ALICE = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'
const BOB = 'kaspasim:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukv834pxlxj'
const CAROL = 'kaspasim:qrjld004k4aa5m4savjndusd56jk739pl5d90y6j4xuw2dyyjqrx6js57amr9'

it('keeps the changes before the first subscriber, then emits later ones, each once', () => {
  const set = createWatchedAddresses([ALICE])
  const view = keepChanges(set)
  set.add(BOB)
  set.delete(ALICE)
  const changes: AddressChange[] = []
  const subscription = view.changes$.subscribe((change) => changes.push(change))
  view.add(CAROL)
  expect(changes.map(({ type, addresses }) => [type, ...addresses])).toEqual([
    ['added', BOB],
    ['deleted', ALICE],
    ['added', CAROL],
  ])
  expect([[...view], view.size, view.has(ALICE), view.has(CAROL)]).toEqual([[BOB, CAROL], 2, false, true])
  subscription.unsubscribe()
})
