"""Calls the tools of a server with one Python MCP library and prints what the library would give to a model."""
import asyncio
import json
import sys

name, options = sys.argv[1], json.loads(sys.argv[2])
command, args, calls, origin = options["command"], options["args"], options["calls"], options["origin"]


def show(value):
    if not isinstance(value, str):
        blocks = value if isinstance(value, list) else [value]
        texts = [b.get("text") if isinstance(b, dict) else getattr(b, "text", None) for b in blocks]
        value = "\n".join(texts) if all(isinstance(t, str) for t in texts) else json.dumps(value, default=str)
    print("SHOWN " + json.dumps(value), flush=True)


async def python_sdk():
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async with stdio_client(StdioServerParameters(command=command, args=args)) as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            for call in calls:
                show((await session.call_tool(call["tool"], call["args"])).content)


async def fastmcp():
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport
    from fastmcp.exceptions import ToolError

    async with Client(StdioTransport(command, args)) as client:
        for call in calls:
            try:
                result = await client.call_tool(call["tool"], call["args"])
                show(json.dumps(result.structured_content) if result.structured_content else result.content)
            except ToolError as error:
                show(str(error))


async def pydantic_ai():
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from fastmcp.client.transports import StdioTransport

    model = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=origin + "/v1", api_key="key"))
    agent = Agent(model, toolsets=[MCPToolset(StdioTransport(command, args))], retries=5)
    async with agent:
        await agent.run("Go.")


async def openai_agents():
    from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
    from agents.mcp import MCPServerStdio
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=origin + "/v1", api_key="key")
    async with MCPServerStdio(params={"command": command, "args": args}, client_session_timeout_seconds=60) as server:
        model = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
        await Runner.run(Agent(name="agent", model=model, mcp_servers=[server]), "Go.")


async def langchain():
    from langchain_mcp_adapters.client import MultiServerMCPClient

    servers = {"oj": {"command": command, "args": args, "transport": "stdio"}}
    tools = {tool.name: tool for tool in await MultiServerMCPClient(servers).get_tools()}
    for call in calls:
        message = {"type": "tool_call", "id": "1", "name": call["tool"], "args": call["args"]}
        try:
            show((await tools[call["tool"]].ainvoke(message)).content)
        except Exception as error:  # the library raises for isError; an agent shows the text of the exception
            show(str(error))


async def llama_index():
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    tools = await McpToolSpec(client=BasicMCPClient(command, args=args)).to_tool_list_async()
    by_name = {tool.metadata.name: tool for tool in tools}
    for call in calls:
        show((await by_name[call["tool"]].acall(**call["args"])).content)


async def strands():
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client
    from strands import Agent
    from strands.models.openai import OpenAIModel
    from strands.tools.mcp import MCPClient

    model = OpenAIModel(client_args={"base_url": origin + "/v1", "api_key": "key"}, model_id="scripted")
    client = MCPClient(lambda: stdio_client(StdioServerParameters(command=command, args=args)))
    with client:
        await Agent(model=model, tools=client.list_tools_sync()).invoke_async("Go.")


async def smolagents():
    from mcp import StdioServerParameters
    from smolagents import ToolCollection

    parameters = StdioServerParameters(command=command, args=args)
    with ToolCollection.from_mcp(parameters, trust_remote_code=True, structured_output=False) as collection:
        tools = {tool.name: tool for tool in collection.tools}
        for call in calls:
            try:
                show(tools[call["tool"]](**call["args"]))
            except Exception as error:  # as for langchain
                show(str(error))


async def mcp_use():
    from langchain_openai import ChatOpenAI
    from mcp_use import MCPAgent, MCPClient

    client = MCPClient.from_dict({"mcpServers": {"oj": {"command": command, "args": args}}})
    llm = ChatOpenAI(model="scripted", base_url=origin + "/v1", api_key="key")
    await MCPAgent(llm=llm, client=client, max_steps=10).run("Go.")


asyncio.run(globals()[name.replace("-", "_")]())
