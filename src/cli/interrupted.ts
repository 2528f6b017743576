/** The user stopped the program by Ctrl-C, or the system by a request to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}
