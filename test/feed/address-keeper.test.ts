import { NEVER } from 'rxjs'
import { expect, it } from 'vitest'
import { AddressKeeper } from '../../src/feed/address-keeper.js'
import type { AddressRequest } from '../../src/feed/address-request.js'
import type { RequestTable } from '../../src/feed/sink.js'
import { createWatchedAddresses } from '../../src/streams/transfers/watched-addresses.js'
import { addressOf } from './support/steps.js'

const ADDRESS = addressOf(0)

it('reads an address again that was refused, where a step has stored the end of its row before that was read', async () => {
  const [refused, excluded]: [string[], (readonly string[])[]] = [[], []]
  let requests: readonly AddressRequest[] = [
    { type: 'added', addresses: [ADDRESS], ids: new Map([[ADDRESS, '1']]), since: 'nonsense' },
  ]
  const table: RequestTable = {
    changes$: NEVER,
    read({ pending }) {
      excluded.push(pending)
      const read = requests
      requests = []
      return Promise.resolve(read)
    },
    refuse(addresses) {
      refused.push(...addresses)
      return Promise.resolve()
    },
  }
  const keeper = new AddressKeeper(
    table,
    createWatchedAddresses([]),
    'testnet-10',
    () => Promise.resolve({ reason: 'no block' }),
    (error) => expect.fail(String(error)),
  )
  keeper.advance()
  await expect.poll(() => [refused, excluded.at(-1)]).toEqual([[ADDRESS], [ADDRESS]])
  keeper.stored([], new Map(), [ADDRESS]) // the rollback of the step took the row of ended_watch
  await expect.poll(() => excluded.at(-1)).toEqual([])
})
