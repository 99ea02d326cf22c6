import { describe, expectTypeOf, it } from 'vitest'
import { useContract } from '../../src/adapters/vue/contracts/useContract.js'
import { defineContract, type ContractValue, type EntryArguments, type SignedBy } from '../../src/contracts/index.js'
import counterJson from '../fixtures/contracts/artifacts/counter.json'
import tokenJson from '../fixtures/contracts/artifacts/token20.json'
import { counter } from '../fixtures/contracts/modules/counter.js'
import type { token20 } from '../fixtures/contracts/modules/token20.js'
import { vault } from '../fixtures/contracts/modules/vault.js'

describe('the types of a contract', () => {
  it('are those of its artifact', () => {
    const Counter = defineContract(counter)
    expectTypeOf(Counter.initialState).toEqualTypeOf<{ readonly count: bigint }>()
    expectTypeOf(Counter.entries).toEqualTypeOf<readonly 'increment'[]>()
    const Vault = defineContract(vault)
    expectTypeOf(Vault.entries).toEqualTypeOf<readonly ('spend' | 'close')[]>()
    expectTypeOf(Vault.initialState).toEqualTypeOf<{ readonly owner: string; readonly spent: bigint }>()
    type CloseArguments = Parameters<typeof Vault.encodeCall<'close'>>[1]
    expectTypeOf<CloseArguments>().toEqualTypeOf<{ readonly s: SignedBy | string | Uint8Array }>()
  })

  it('resolve arrays of structs', () => {
    type TransferArguments = EntryArguments<typeof token20, 'Token20', 'transfer'>
    expectTypeOf<TransferArguments['next_states'][number]['amount']>().toEqualTypeOf<bigint>()
    expectTypeOf<TransferArguments['next_states'][number]['owner']>().toEqualTypeOf<string | Uint8Array>()
    expectTypeOf<TransferArguments['next_states'][number]['owner_scheme']>().toEqualTypeOf<number>()
  })

  it('reject wrong, missing and unknown arguments, unknown entries and generated names', () => {
    const Counter = defineContract(counter)
    const attempts = [
      // @ts-expect-error a number is no bigint
      () => Counter.encodeCall('increment', { step: 3 }),
      // @ts-expect-error the argument is missing
      () => Counter.encodeCall('increment', {}),
      // @ts-expect-error there is no such argument
      () => Counter.encodeCall('increment', { step: 3n, by: 1n }),
      // @ts-expect-error there is no such entry
      () => Counter.encodeCall('decrement', { step: 3n }),
      // @ts-expect-error called by its declared name
      () => Counter.encodeCall('__covenant_entrypoint_auth_increment', { step: 3n }),
      // @ts-expect-error a state has its fields
      () => Counter.redeemScript({ counter: 1n }),
    ]
    for (const attempt of attempts) expectTypeOf(attempt).returns.toBeString()
  })

  it('are any value for an import of JSON', () => {
    const Counter = defineContract(counterJson)
    expectTypeOf(Counter.initialState).toEqualTypeOf<Readonly<Record<string, ContractValue>>>()
    expectTypeOf(Counter.encodeCall('increment', { step: 3n })).toBeString()
    const Token = defineContract(tokenJson)
    expectTypeOf(Token.encodeCall('transfer_delegator', { witness: '00' })).toBeString()
  })
})

describe('the types of useContract', () => {
  const outpoint = { transactionId: '11'.repeat(32), index: 0 }
  const genesis = { outpoint, outputs: [{ index: 0, value: 1n, state: { count: 7n } }] }

  it('are those of the artifact, and null where there may be no genesis', () => {
    const Counter = defineContract(counter)
    const attempts = {
      known: () => useContract(Counter, genesis),
      unknown: () => useContract(Counter, (): typeof genesis | null => null),
      // @ts-expect-error the record of another program
      other: () => useContract(Counter, { outpoint, outputs: [{ index: 0, value: 1n, state: { owner: '' } }] }),
      // @ts-expect-error there is no such argument
      call: () => useContract(Counter, genesis).call.value.increment({ by: 1n }),
    }
    type Known = ReturnType<typeof attempts.known>
    expectTypeOf<Known['state']['value']>().toEqualTypeOf<{ readonly count: bigint } | null>()
    expectTypeOf<Known['call']['value']>().not.toBeNullable()
    expectTypeOf<ReturnType<typeof attempts.unknown>['call']['value']>().toBeNullable()
  })
})
