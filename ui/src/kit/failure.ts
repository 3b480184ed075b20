/** Owns the fields needed to show a failure. `AppError` has these fields. */
export type Failure = {
  message: string;
  resource: string | null;
  awsCode: string | null;
  requestId: string | null;
  remedy: string | null;
};
