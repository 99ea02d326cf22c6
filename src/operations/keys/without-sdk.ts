import { isValidAddress } from '../../model/address.js'
import {
  currencyUnit,
  kaspaToSompi,
  numberToKaspa,
  numberToSompi,
  sompiToKaspa,
  sompiToKaspaString,
} from '../../model/amount.js'

/** Exact conversions between sompi and KAS, and the address check, which need no SDK. */
export const WITHOUT_SDK = {
  kaspaToSompi,
  sompiToKaspa,
  sompiToKaspaString,
  currencyUnit,
  numberToKaspa,
  numberToSompi,
  isValidAddress,
}
