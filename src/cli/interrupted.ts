/** The user stopped the program by Ctrl-C, or the system by a request to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: StopSignal

  constructor(signal: StopSignal = 'SIGINT', options?: ErrorOptions) {
    super('interrupted', options)
    this.signal = signal
  }
}

/** What stops the program: Ctrl-C, or a request of the system. */
export type StopSignal = 'SIGINT' | 'SIGTERM'
