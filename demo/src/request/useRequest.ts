import { SOMPI_PER_KASPA, useChain, useChainEngine, useCrypto, useTransaction, useUtxo } from 'vue-chain'
import type { RequestedPayment } from 'vue-chain/requests'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import type { Account } from '../devnode'

const AMOUNT = 5n * SOMPI_PER_KASPA
/** Five seconds at a block a second. */
const CONFIRMATIONS = 5
/** Ms. */
const EXPIRES_IN = 120_000

/** The page's payment request, each to an address of its own, and what a customer pays to it. */
export function useRequest(customer: Ref<Account>): {
  request: Readonly<Ref<RequestedPayment | null>>
  create: () => Promise<void>
  /** Pays a part of the amount from the customer's account. */
  pay: (part: { readonly halves: bigint }) => Promise<void>
} {
  const { requests } = useChainEngine()
  const { init } = useChain()
  const { generateKeypair } = useCrypto()
  const { send } = useTransaction()
  const { matureEntries } = useUtxo(() => customer.value.address)
  const request = shallowRef<RequestedPayment | null>(null)

  return {
    request: shallowReadonly(request),
    async create() {
      await init()
      const { address } = generateKeypair('simnet') // its key is not kept: KAS of simnet have no value
      request.value = await requests.create({
        ...{ address, amount: AMOUNT, expiresIn: EXPIRES_IN, confirmations: CONFIRMATIONS },
        label: 'Demo',
      })
    },
    async pay({ halves }) {
      if (request.value === null) return
      const { address, privateKeyHex } = customer.value
      await send({
        entries: [...matureEntries.value],
        outputs: [{ address: request.value.address, amount: (AMOUNT * halves) / 2n }],
        changeAddress: address,
        privateKeys: [privateKeyHex],
      })
    },
  }
}
