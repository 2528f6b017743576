/** Why an object store refused, in words. */

const reasons: Readonly<Record<string, string>> = {
  AccessDenied: 'access is denied; the credentials need to list, read, write and delete there',
  AuthorizationHeaderMalformed: 'the region does not fit the bucket; name it by `--region`',
  BadDigest: 'the file changed while it was published; publish again',
  CredentialsProviderError:
    'no credentials were found; give them as the AWS tools take them, for example in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the access key is not known there',
  NoSuchBucket: 'the bucket does not exist',
  PermanentRedirect: 'the bucket lies in another region; name it by `--region`',
  SignatureDoesNotMatch: 'the secret key does not fit the access key',
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers at that address',
  ECONNRESET: 'the connection broke; publish again to complete it',
  ENOTFOUND: 'the host name is not known',
  ETIMEDOUT: 'no answer came in time',
}

/** Whether there is no such object: stores name it differently. A bucket that is not there is another matter. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && error.name !== 'NoSuchBucket' && (error.name === 'NoSuchKey' || statusOf(error) === 404)
  )
}

/** A clause that says why. Only names and codes are told: messages of a store may quote what was sent. */
export function explainS3Error(error: unknown): string {
  if (!(error instanceof Error)) return 'the store gave no reason'
  // The SDK puts system errors into `code` of the error or of its cause.
  const code = [error, error.cause].flatMap((item) =>
    item instanceof Error && 'code' in item && typeof item.code === 'string' ? [item.code] : [],
  )[0]
  const known = reasons[error.name] ?? (code === undefined ? undefined : codes[code])
  const status = statusOf(error)
  return known ?? `the store says ${code ?? error.name}${status === undefined ? '' : ` (HTTP ${status})`}`
}

/** Status of the answer, where the SDK puts it. */
function statusOf(error: Error): number | undefined {
  const facts: unknown = '$metadata' in error ? error.$metadata : undefined
  if (typeof facts !== 'object' || facts === null || !('httpStatusCode' in facts)) return undefined
  return typeof facts.httpStatusCode === 'number' ? facts.httpStatusCode : undefined
}
