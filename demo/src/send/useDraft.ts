import { kaspaToSompi, useCrypto, useNetwork, useUtxo, type CreateTransactionSettings, type UtxoEntry } from 'vue-chain'
import { computed, reactive, type Ref } from 'vue'
import { accounts, type Account } from '../devnode'

/** The form's raw input. */
export interface Draft {
  /** An account's address, or '' for the one in `otherAddress`. */
  account: string
  otherAddress: string
  amount: string
}

/** A parsed field: its value or its problem; neither while it is empty. */
export interface Field<T> {
  readonly value?: T
  readonly problem?: string
}

/** The draft of a payment: raw input, parsed fields and transaction settings. */
export function useDraft(from: Ref<Account>) {
  const { isValidAddress } = useCrypto()
  const { currentNetwork } = useNetwork()
  const { matureEntries, balance, freshness } = useUtxo(() => from.value.address)
  const draft = reactive<Draft>({ account: accounts[1]?.address ?? '', otherAddress: '', amount: '12.5' })

  const to = computed((): Field<string> => {
    const address = (draft.account === '' ? draft.otherAddress : draft.account).trim()
    if (address === '') return {}
    return isValidAddress(address, currentNetwork.value)
      ? { value: address }
      : { problem: `Not a valid address of ${currentNetwork.value}.` }
  })
  const amount = computed((): Field<bigint> => readAmount(draft.amount))
  const spendable = computed(() => (freshness.value === 'fresh' ? balance.value.mature : undefined))

  /** Settings at a fee rate in sompi per gram; undefined while a field is missing or invalid. */
  const toSettings = (feeRate: number | undefined): CreateTransactionSettings | undefined => {
    if (to.value.value === undefined || amount.value.value === undefined || feeRate === undefined) return undefined
    const outputs = [{ address: to.value.value, amount: amount.value.value }]
    return { ...base(feeRate), outputs, changeAddress: from.value.address }
  }
  /** Settings that spend all mature entries to `changeAddress`: a sweep, or a consolidation to the own address. */
  const toSweep = (changeAddress: string, feeRate: number): CreateTransactionSettings => ({
    ...base(feeRate),
    changeAddress,
  })
  const base = (feeRate: number): { entries: UtxoEntry[]; feeRate: number } => ({
    entries: [...matureEntries.value],
    feeRate,
  })

  return { draft, to, amount, spendable, toSettings, toSweep }
}

function readAmount(text: string): Field<bigint> {
  if (text.trim() === '') return {}
  try {
    const value = kaspaToSompi(text.trim())
    return value > 0n ? { value } : { problem: 'An amount must be more than 0.' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
