/** The token of the tests, as the compiler wrote it. Whose program it is, `vue-chain contract` shows by its template hash. */
export { token20 } from '../../../test/fixtures/contracts/modules/token20'
