-- recorded-as: main/0021-tools-shown
-- How many tools callers see of each server is asked for with every list of servers: from here, without their definitions.

CREATE INDEX server_tools_shown ON server_tools (server_id, enabled, held);
