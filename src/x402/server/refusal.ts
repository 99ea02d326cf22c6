/** Why a payment is not settled: `invalidReason` and `errorReason`, in the form of x402. */
export type RefusalReason =
  /** The middleware of `context()` is missing, or the facilitator was given no request hash. */
  | 'request_not_bound'
  | 'invalid_payload'
  | 'unsupported_scheme'
  | 'invalid_network'
  | 'invalid_asset'
  /** The payer accepted other terms than those of this route. */
  | 'requirements_mismatch'
  /** It was signed for another request. */
  | 'request_mismatch'
  /** The signature of the binding is not that of the payer's input. */
  | 'payer_mismatch'
  | 'expired'
  /** The expiry lies beyond `maxTimeoutSeconds`. */
  | 'expiry_too_late'
  | 'invalid_transaction'
  | 'unsigned'
  | 'invalid_amount'
  | 'invalid_outputs'
  | 'too_many_inputs'
  | 'fee_too_high'
  /** One of its inputs is no UTXO, or another one than it says. */
  | 'invalid_utxo'
  /** The payment was made for another request. */
  | 'already_used'
  /** Another payment of the store spends one of its inputs. */
  | 'input_claimed'
  /** The chain accepted another transaction that spends one of its inputs. */
  | 'double_spent'
  /** Not as deep as required yet: present the same payment again. */
  | 'settlement_pending'
  /** A handler began and its result is not known: an operator decides. */
  | 'recovery_required'
  /** It was served, and its response was too large to be stored. */
  | 'already_served'

export interface Refusal {
  readonly reason: RefusalReason
  readonly message: string
}

export const refuse = (reason: RefusalReason, message: string): Refusal => ({ reason, message })

export const isRefusal = (value: object): value is Refusal => 'reason' in value && 'message' in value
