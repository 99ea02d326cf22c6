/** The token of the tests, as the compiler wrote it: `vue-chain contract` names its program by the template hash. */
export { token20 } from '../../../test/fixtures/contracts/modules/token20'
