/** Runs in a worker thread, which reads reports and writes the responses to them (decision 0182). */
import { readBody } from "#api/kit/read-body";
import { serveReports } from "#discovery/thread/serve-reports";
import { reportAnswer } from "../report-answer.ts";
import { DiscoveryReportBody } from "../report-body.ts";

serveReports({ read: (bytes) => readBody(DiscoveryReportBody, bytes), answer: reportAnswer });
